import type { Queryable } from '../platform/database/database.ts';
import type { MailType } from './templates/mails.ts';

export type NewMailRow = {
  id: string;
  type: MailType;
  language: string;
  to: string;
  subject: string;
  content: Uint8Array;
  status: 'queued' | 'kept';
  /** From now on; after that it is not sent any more. */
  sendWithinSeconds: number;
};

/** Inserts a mail, which is due at once unless it is kept. */
export async function insertMail(db: Queryable, companyId: string, mail: NewMailRow): Promise<void> {
  const { id, type, language, to, subject, content, status, sendWithinSeconds } = mail;
  await db`
    INSERT INTO mails (company_id, id, type, language, recipients, subject, content, status, next_attempt_at, give_up_at)
    VALUES (${companyId}, ${id}, ${type}, ${language}, ${JSON.stringify([to])}::text::json, ${subject}, ${content}, ${status},
            CASE WHEN ${status === 'queued'} THEN now() END, now() + make_interval(secs => ${sendWithinSeconds}))`;
}

/** Deletes all mails to an address. */
export async function deleteMailsTo(db: Queryable, companyId: string, to: string): Promise<void> {
  await db`DELETE FROM mails WHERE company_id = ${companyId} AND recipients ->> 0 = ${to}`;
}
