import type { Queryable } from '../platform/database/database.ts';
import { constantPart } from '../platform/database/database.ts';
import type { MailSummary } from './mail.schema.ts';

const columns = constantPart(
  (db) => db`
    id, nullif(company_id, '00000000-0000-0000-0000-000000000000') AS "companyId", recipients AS to, type, language, subject,
    status, created_at AS "createdAt", sent_at AS "sentAt"`,
);

/** A page of the mails of all companies, newest first, and how many there are. */
export async function selectMails(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: MailSummary[] }> {
  const [counted, data] = await Promise.all([
    db<[{ total: number }]>`SELECT count(*)::int AS total FROM mails`,
    db<MailSummary[]>`SELECT ${columns(db)} FROM mails ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`,
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
