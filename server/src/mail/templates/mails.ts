import type { MailMessage } from '../../platform/feature/mail-declaration.ts';

/** The types of mails about accounts. Each has its text in every language. */
export const MAIL_TYPES = [
  'verify_email',
  'reset_password',
  'password_changed',
  'change_email',
  'email_changing',
  'email_kept',
  'passkey_added',
  'passkey_removed',
  'totp_enabled',
  'totp_disabled',
  'recovery_codes_replaced',
  'invitation',
  'charges_held',
] as const;
export type MailType = (typeof MAIL_TYPES)[number];

/** What a text may name; empty where the type has none. Names and `valid` are ready to be read: see `writeName`. */
export type MailFacts = {
  seller: string;
  /** How long the link works, such as `3 days`. */
  valid: string;
  newEmail: string;
  /** Empty where the seller itself invites. */
  inviter: string;
  /** Empty also where the company has no name. */
  company: string;
  role: string;
  /** The second factors that were ended, as a list within a sentence. */
  ended: string;
  /** Those that the user still has. */
  kept: string;
  passkey: string;
  /** Whether recovery codes have come with a factor, or have gone with it. */
  withRecoveryCodes: boolean;
};

/** How a language names second factors. */
export type FactorWords = {
  passkey: (name: string) => string;
  /** Those beyond the ones that are named. */
  morePasskeys: (count: number) => string;
  totp: string;
  recoveryCodes: string;
};

export type Message = MailMessage & { subject: string };

/** The texts of a language. */
export type Language = {
  greeting: string;
  factors: FactorWords;
  mails: Record<MailType, (facts: MailFacts) => Message>;
};

/** What both forms of a mail consist of. */
/** The command that tells what a database that went back lacks. */
export const ADOPT_COMMAND = 'npm run paydesk -- reconcile --adopt';

export type MailParts = { seller: string; greeting: string; message: Message; link: string | null };
