import type { Queryable } from '../platform/database/database.ts';
import { constantPart } from '../platform/database/database.ts';
import type { MailSummary } from './mail.schema.ts';

const columns = constantPart(
  (db) => db`
    id, nullif(company_id, '00000000-0000-0000-0000-000000000000') AS "companyId", recipients AS to, type, language, subject,
    status, created_at AS "createdAt", sent_at AS "sentAt"`,
);

export type MailFilter = { recipient: string | null; type: string | null; status: string | null };

/** A page of the matching mails of all companies, newest first, and how many there are. */
export async function selectMails(
  db: Queryable,
  { recipient, type, status }: MailFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: MailSummary[] }> {
  const matches = db`
    WHERE true ${recipient === null ? db`` : db`AND lower(recipients ->> 0) = lower(${recipient})`}
      ${type === null ? db`` : db`AND type = ${type}`} ${status === null ? db`` : db`AND status = ${status}`}`;
  const [counted, data] = await Promise.all([
    db<[{ total: number }]>`SELECT count(*)::int AS total FROM mails ${matches}`,
    db<MailSummary[]>`SELECT ${columns(db)} FROM mails ${matches} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total: counted[0].total, data: [...data] };
}

/** A mail of any company with its encrypted content, which is null once it was emptied. @returns null when there is none */
export async function selectMail(
  db: Queryable,
  id: string,
): Promise<(MailSummary & { content: Uint8Array | null }) | null> {
  const [row] = await db<
    (MailSummary & { content: Uint8Array | null })[]
  >`SELECT ${columns(db)}, content FROM mails WHERE id = ${id}`;
  return row ?? null;
}
