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

/** Deletes all mails to an address alone, and takes it off the mails to several. */
export async function deleteMailsTo(db: Queryable, companyId: string, to: string): Promise<void> {
  await db`
    DELETE FROM mails
    WHERE company_id = ${companyId} AND recipients ->> 0 = ${to} AND json_array_length(recipients) = 1`;
  await db`
    UPDATE mails SET recipients = (
      SELECT json_agg(address ORDER BY place)
      FROM json_array_elements_text(recipients) WITH ORDINALITY AS listed (address, place) WHERE address <> ${to}
    )
    WHERE company_id = ${companyId} AND json_array_length(recipients) > 1 AND lower(recipients::text)::jsonb ? lower(${to})
      AND EXISTS (SELECT FROM json_array_elements_text(recipients) AS address WHERE address <> ${to})`;
}
