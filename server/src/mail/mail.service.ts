import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../platform/config/config.ts';
import type { Queryable, Tx } from '../platform/database/database.ts';
import type { MailCatalogue } from '../platform/feature/mail-declaration.ts';
import type { Keyring } from '../platform/keys/keys.ts';
import { countMails, selectMailPage } from './mail.operator.queries.ts';
import { findMail, type Reader, readFilter, summaryOf } from './mail.operator.ts';
import { insertMail } from './mail.queries.ts';
import type { Mail, MailList, MailQuery } from './mail.schema.ts';
import { renderMoney } from './money/render.ts';
import { openContent, sealContent } from './sending/content.ts';
import { selectSellerName, updateMailServer } from './sending/mail.worker.queries.ts';
import type { MailType } from './templates/mails.ts';
import { chooseLanguage, type FactorNames, renderMail } from './templates/render.ts';

export { mayInvite, mayMail } from './mail.limits.ts';
export type { MailTopics } from './mail.operator.ts';
// For users who are deleted.
export { deleteMailsTo } from './mail.queries.ts';
export type { FactorNames } from './templates/render.ts';

/** What writing a mail needs of the service. */
export type MailDependencies = {
  keyring: Pick<Keyring, 'seal' | 'hashRequest'>;
  config: Pick<Config, 'smtpUrl' | 'publicUrl'>;
};

/** A link works once, for `validSeconds`. Its token is nowhere but in the mail. */
type Link = { token: string; validSeconds: number };

/** Tells what was added to the ways in which a user logs in, or removed. */
export type FactorNotice =
  | { type: 'passkey_added' | 'passkey_removed'; passkeyName: string; withRecoveryCodes: boolean }
  | { type: 'totp_enabled' | 'totp_disabled'; withRecoveryCodes: boolean }
  | { type: 'recovery_codes_replaced' };

type NewMail = {
  to: string;
  /** Of the recipient, as a BCP 47 tag; empty when not known. */
  language: string;
} & (
  | ({ type: 'verify_email' | 'reset_password' | 'change_email' } & Link)
  | ({ type: 'email_changing'; newEmail: string } & Link)
  | ({ type: 'invitation'; inviterName: string; companyName: string; roleName: string } & Link)
  | { type: 'password_changed'; ended?: FactorNames; kept?: FactorNames }
  | { type: 'email_kept'; ended: FactorNames; kept: FactorNames }
  | FactorNotice
  | { type: 'charges_held' }
);

/** The pages of the dashboard that take the tokens. */
const PAGES = {
  verify_email: '/app/verify-email',
  change_email: '/app/verify-email',
  reset_password: '/app/reset-password',
  email_changing: '/app/revert-email',
  invitation: '/app/invitation',
};

/** A mail that can't be sent for this long would only surprise its recipient. */
const SEND_WITHIN_SECONDS = 24 * 60 * 60;

/**
 * Writes a mail with the change that it tells about; it leaves within a second of the commit. Without `SMTP_URL` it is
 * kept for the operator instead. The content is encrypted, because the link opens an account. `companyId` is
 * OPERATOR_SCOPE where the recipient belongs to no company.
 */
export async function queueMail(
  tx: Tx,
  companyId: string,
  { to, language, ...mail }: NewMail,
  { keyring, config }: MailDependencies,
): Promise<void> {
  const { type, ...facts } = 'token' in mail ? linkTo(config.publicUrl, mail) : { ...mail, link: null };
  const content = { ...facts, sellerName: await selectSellerName(tx) };
  const id = uuidv7();
  const tag = chooseLanguage(language);
  const { subject } = renderMail(type, tag, content);
  const validSeconds = 'validSeconds' in facts ? facts.validSeconds : SEND_WITHIN_SECONDS;
  await insertMail(tx, companyId, {
    ...{ id, type, language: tag, to, subject },
    content: sealContent(keyring, { companyId, id }, content),
    status: config.smtpUrl === undefined ? 'kept' : 'queued',
    sendWithinSeconds: Math.min(validSeconds, SEND_WITHIN_SECONDS),
  });
}

/** The token is in the fragment, which no browser sends: it reaches no log and no other site. */
function linkTo<M extends { type: keyof typeof PAGES; token: string }>(publicUrl: string, { token, ...mail }: M) {
  return { ...mail, link: `${publicUrl}${PAGES[mail.type]}#token=${token}` };
}

/** Notes for statements that write mails whether this installation has a mail server. */
export async function noteMailServer(db: Queryable, { smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<void> {
  await updateMailServer(db, smtpUrl !== undefined);
}

/** A page of the mails of all companies that the caller may read, newest first. @throws ApiError 400 */
export async function listMails(db: Queryable, query: MailQuery, reader: Reader): Promise<MailList> {
  const { page, perPage } = query;
  const filter = readFilter(query, reader);
  const range = { limit: perPage, offset: (page - 1) * perPage, after: null };
  const [total, data] = await Promise.all([countMails(db, filter), selectMailPage(db, filter, range)]);
  return { page, perPage, total, data: [...data] };
}

/**
 * A mail with its text. Of a mail with a link that opens an account, only `kept` ones are shown: the operator has to hand that link over.
 * @throws ApiError not_found, forbidden
 */
export async function readMail(
  db: Queryable,
  id: string,
  { keyring, mails, ...reader }: Reader & { keyring: Pick<Keyring, 'unseal'>; mails: MailCatalogue },
): Promise<Mail> {
  const found = await findMail(db, id, reader);
  const mail = summaryOf(found);
  const { companyId } = mail;
  if (found.facts !== null && companyId !== null) {
    const rendered = await renderMoney(mails, { ...mail, companyId, facts: found.facts });
    return { ...mail, text: rendered?.text ?? null, html: rendered?.html ?? null };
  }
  const content = found.content === null ? null : openContent(keyring, mail, found.content);
  if (content === null || (content.link !== null && mail.status !== 'kept')) return { ...mail, text: null, html: null };
  const { text, html } = renderMail(mail.type as MailType, mail.language, content);
  return { ...mail, text, html };
}
