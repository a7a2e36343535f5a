import type { Part, Queryable, Tx } from '../platform/database/database.ts';
import type { CompanyName } from '../platform/database/name-parts.ts';
import type { MailFacts } from '../platform/feature/mail-declaration.ts';
import type { MailSummary } from './mail.schema.ts';

const NIL = `'00000000-0000-0000-0000-000000000000'`;

/** What the list shows of the row of `mails`. */
function columns(db: Queryable, companyName: CompanyName): Part {
  return db`
    mails.id, nullif(mails.company_id, ${db.unsafe(NIL)}) AS "companyId", ${companyName(db, db`mails.company_id`)} AS "companyName",
    mails.invoice_id AS "invoiceId", mails.recipients AS to, mails.type, mails.language, mails.subject, mails.status,
    mails.attachments, mails.resend_of AS "resendOf", mails.created_at AS "createdAt", mails.sent_at AS "sentAt"`;
}

export type MailFilter = {
  companyId: string | null;
  invoiceId: string | null;
  recipient: string | null;
  type: string | null;
  status: string | null;
  from: Date | null;
  to: Date | null;
  isAboutMoney: boolean;
  companyName: CompanyName;
};

/** How many mails of all companies match. */
export async function countMails(db: Queryable, filter: MailFilter): Promise<number> {
  const [counted] = await db<
    [{ total: number }]
  >`SELECT count(*)::int AS total FROM mails WHERE ${matches(db, filter)}`;
  return counted.total;
}

/** A page of the matching mails of all companies, newest first; unless null, of those that follow this one. */
export async function selectMailPage(
  db: Queryable,
  filter: MailFilter,
  { limit, offset, after }: { limit: number; offset: number; after: string | null },
): Promise<MailSummary[]> {
  return db<MailSummary[]>`
    SELECT ${columns(db, filter.companyName)} FROM (
      SELECT * FROM mails WHERE ${matches(db, filter)} ${after === null ? db`` : db`AND id < ${after}`}
      ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}
    ) AS mails
    ORDER BY id DESC`;
}

function matches(db: Queryable, filter: MailFilter): Part {
  const { companyId, invoiceId, recipient, type, status, from, to, isAboutMoney } = filter;
  const isTo = db`
    (lower(recipients ->> 0) = lower(${recipient})
      OR json_array_length(recipients) > 1 AND lower(recipients::text)::jsonb ? lower(${recipient}))`;
  return db`true
    ${isAboutMoney ? db`AND is_about_money` : db``}
    ${companyId === null ? db`` : db`AND company_id = ${companyId}`}
    ${invoiceId === null ? db`` : db`AND invoice_id = ${invoiceId}`}
    ${recipient === null ? db`` : db`AND ${isTo}`}
    ${type === null ? db`` : db`AND type = ${type}`} ${status === null ? db`` : db`AND status = ${status}`}
    ${from === null ? db`` : db`AND created_at >= ${from}`} ${to === null ? db`` : db`AND created_at < ${to}`}`;
}

/** What a mail is written from: encrypted of a mail about an account, in plain of one about money; both null once they were emptied. */
export type StoredMail = MailSummary & {
  content: Uint8Array | null;
  facts: MailFacts | null;
  isAboutMoney: boolean;
};

/** A mail of any company; null when there is none. */
export async function selectMail(db: Queryable, id: string, companyName: CompanyName): Promise<StoredMail | null> {
  const [row] = await db<StoredMail[]>`
    SELECT ${columns(db, companyName)}, content, facts, is_about_money AS "isAboutMoney" FROM mails WHERE id = ${id}`;
  return row ?? null;
}

/** Writes a mail that says the same as another one, with another id and, unless null, to others. It is due at once, or kept. */
export async function insertCopy(
  tx: Tx,
  { of, id, to }: { of: string; id: string; to: readonly string[] | null },
): Promise<void> {
  await tx`
    INSERT INTO mails (company_id, id, type, is_about_money, invoice_id, resend_of, language, recipients, subject, facts, attachments,
                       status, next_attempt_at, give_up_at)
    SELECT company_id, ${id}, type, is_about_money, invoice_id, mails.id, language,
           coalesce(${to === null ? null : JSON.stringify(to)}::text::json, recipients), subject, facts, (
             SELECT coalesce(jsonb_agg(file || '{"size":null}' ORDER BY place), '[]')
             FROM jsonb_array_elements(attachments) WITH ORDINALITY AS files (file, place)
           ), CASE WHEN is_set THEN 'queued' ELSE 'kept' END, CASE WHEN is_set THEN now() END, now() + interval '72 hours'
    FROM mails CROSS JOIN mail_server WHERE mails.id = ${of}`;
}
