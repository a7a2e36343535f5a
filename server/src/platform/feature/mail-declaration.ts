import type { Queryable } from '../database/database.ts';

/** The languages that mails have texts in. */
export const MAIL_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];
/** The languages of a company's documents. A mail in one without texts of its own is English. */
export const DOCUMENT_LANGUAGES = [...MAIL_LANGUAGES, 'it', 'nl', 'pt', 'pl', 'ja'] as const;

/** What a mail says between its greeting and its end. */
export type MailMessage = {
  /** Before the figures and the link. */
  paragraphs: readonly string[];
  /** Figures, each with its label. */
  rows?: readonly (readonly [label: string, value: string])[];
  /** What is typed into a terminal, on a line of its own after the paragraphs. */
  command?: string;
  /** What the link does; only in mails that have one. */
  button?: string;
  /** After the link, in smaller letters. */
  notes: readonly string[];
};

/** What the mails of all features tell: what the mail is about, such as an invoice's number, and who sends it. */
export type MailFacts = { about: string; sellerName: string };

/** The text of a mail in one language. `seller` and names within facts are ready to be read. */
export type MailText<Facts> = {
  subject: (about: string, seller: string) => string;
  message: (facts: Facts, seller: string) => MailMessage;
};

/** Whose mail it is, and the invoice that it is about. */
export type MailTopic = { companyId: string; invoiceId: string | null };

/** A file of a mail. `{about}` in its name stands for what the mail is about. */
export type MailFile = { name: string; contentType: string };

/**
 * A mail of a feature about money: its texts by language, and its files. It goes to the recipients that the company's mail settings name.
 * The context is what background work may ask for.
 */
export type MailDeclaration<Facts, Context> = {
  texts: Readonly<Record<MailLanguage, MailText<Facts>>>;
  files?: readonly MailFile[];
  /** Draws a file. It is done when the mail is sent or read. */
  draw?: (context: Context, topic: MailTopic, index: number) => Promise<Uint8Array>;
  /** What a mail about this invoice or company would tell now; null where there is nothing to tell of. */
  sample: (db: Queryable, topic: MailTopic) => Promise<Omit<Facts, 'sellerName'> | null>;
};

/** A declared mail whatever its facts are. */
// biome-ignore lint/suspicious/noExplicitAny: facts are read back from the database, as the feature has written them
export type AnyMailDeclaration<Context> = MailDeclaration<any, Context>;

/**
 * The mails of all features by type, with all that drawing their files needs. `link` is the address at which the invoice can be read and
 * paid without an account; null without an invoice, or while its link is revoked.
 */
export type MailCatalogue = Readonly<
  Record<string, AnyMailDeclaration<void> & { link: (topic: MailTopic) => Promise<string | null> }>
>;
