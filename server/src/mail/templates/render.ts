import type { AnyMailDeclaration, MailFacts, MailLanguage } from '../../platform/feature/mail-declaration.ts';
import { layOutHtml } from './html.ts';
import { german } from './language.de.ts';
import { english } from './language.en.ts';
import { spanish } from './language.es.ts';
import { french } from './language.fr.ts';
import type { FactorWords, Language, MailParts, MailType } from './mails.ts';
import { writeAddress, writeName, writeText } from './names.ts';

const LANGUAGES: Record<MailLanguage, Language> = { en: english, de: german, fr: french, es: spanish };

/** What a mail tells, besides its type and language. */
export type MailContent = {
  /** Empty while no seller is set. */
  sellerName: string;
  /** The only link; null without one. */
  link: string | null;
  /** How long the link works. */
  validSeconds?: number | undefined;
  newEmail?: string | undefined;
  inviterName?: string | undefined;
  companyName?: string | undefined;
  roleName?: string | undefined;
  ended?: FactorNames | undefined;
  kept?: FactorNames | undefined;
  passkeyName?: string | undefined;
  withRecoveryCodes?: boolean | undefined;
};

/** The second factors of a user, with the names that the user has given them. */
export type FactorNames = { passkeys: readonly string[]; hasTotp: boolean; hasRecoveryCodes: boolean };

/** A mail that can be sent. */
export type RenderedMail = { subject: string; text: string; html: string };

/**
 * The language of a mail for a user with this language tag (BCP 47), found as RFC 4647 says (3.4, lookup): `de-AT` is
 * German. English for every other language, and where none is set.
 */
export function chooseLanguage(tag: string): MailLanguage {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/);
  return isMailLanguage(primary) ? primary : 'en';
}

function isMailLanguage(tag: string): tag is MailLanguage {
  return Object.hasOwn(LANGUAGES, tag);
}

/** Writes a mail. A language that is no longer among ours is English. */
export function renderMail(type: MailType, language: string, content: MailContent): RenderedMail {
  const tag = chooseLanguage(language);
  const { greeting, factors, mails } = LANGUAGES[tag];
  const seller = writeName(content.sellerName) || 'Paydesk';
  const message = mails[type]({
    seller,
    valid: content.validSeconds === undefined ? '' : describeDuration(tag, content.validSeconds),
    newEmail: writeAddress(content.newEmail ?? ''),
    inviter: writeName(content.inviterName ?? ''),
    company: writeName(content.companyName ?? ''),
    role: writeName(content.roleName ?? ''),
    ended: listFactors(tag, factors, content.ended),
    kept: listFactors(tag, factors, content.kept),
    passkey: writeName(content.passkeyName ?? ''),
    withRecoveryCodes: content.withRecoveryCodes ?? false,
  });
  return layOut(tag, { seller, greeting, message, link: content.link });
}

/** Writes a mail about money, as its feature declares it. */
export function renderMoneyMail(
  declaration: AnyMailDeclaration<never>,
  language: string,
  facts: MailFacts,
  link: string | null,
): RenderedMail {
  const tag = chooseLanguage(language);
  const seller = writeName(facts.sellerName) || 'Paydesk';
  const { subject, message } = declaration.texts[tag];
  const whole = { subject: subject(facts.about, seller), ...message(facts, seller) };
  return layOut(tag, { seller, greeting: LANGUAGES[tag].greeting, message: whole, link });
}

function layOut(tag: MailLanguage, parts: MailParts): RenderedMail {
  return { subject: writeText(parts.message.subject), text: layOutText(parts), html: layOutHtml(tag, parts) };
}

function layOutText({ seller, greeting, message, link }: MailParts): string {
  const { paragraphs, rows = [], command, button, notes } = message;
  const action = link === null || button === undefined ? [] : [`${button}:\n${link}`];
  const typed = command === undefined ? [] : [`    ${command}`];
  const figures = rows.length === 0 ? [] : [rows.map(([label, value]) => `${label}: ${value}`).join('\n')];
  return `${[greeting, ...paragraphs, ...figures, ...typed, ...action, ...notes, seller].map(writeText).join('\n\n')}\n`;
}

/** More names would be a text of whoever chose them. */
const MOST_NAMED = 5;

function listFactors(language: MailLanguage, words: FactorWords, factors: FactorNames | undefined): string {
  if (factors === undefined) return '';
  const { passkeys, hasTotp, hasRecoveryCodes } = factors;
  const more = passkeys.length - MOST_NAMED;
  const list = [
    ...passkeys.slice(0, MOST_NAMED).map((name) => words.passkey(writeName(name))),
    ...(more > 0 ? [words.morePasskeys(more)] : []),
    ...(hasTotp ? [words.totp] : []),
    ...(hasRecoveryCodes ? [words.recoveryCodes] : []),
  ];
  return new Intl.ListFormat(language).format(list);
}

const [HOUR, DAY] = [3_600, 86_400];

/** `3 days`, or hours where it is less than two days. */
function describeDuration(language: MailLanguage, seconds: number): string {
  const [unit, length] = seconds < 2 * DAY ? ['hour', HOUR] : ['day', DAY];
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.floor(seconds / length));
}
