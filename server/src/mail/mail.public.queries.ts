import { CLOCK_TOLERANCE_SECONDS } from '../platform/calendar/clock.ts';
import type { Queryable, Tx } from '../platform/database/database.ts';

/** Counts a mail, unless as many as `limit` were counted within the last hour. @returns whether it was counted */
export async function countMail(tx: Tx, subject: Uint8Array, limit: number): Promise<boolean> {
  const recent = tx`ARRAY(
    SELECT at FROM unnest(existing.written_at) AS at
    WHERE at BETWEEN now() - interval '1 hour' AND now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS}))`;
  const rows = await tx`
    INSERT INTO mail_counts AS existing (subject, written_at) VALUES (${subject}, ARRAY[now()])
    ON CONFLICT (subject) DO UPDATE SET written_at = ${recent} || now(), expires_at = now() + interval '1 hour'
    WHERE cardinality(${recent}) < ${limit}
    RETURNING 1`;
  return rows.length === 1;
}

/** Removes up to `limit` counts that are older than an hour. @returns how many were removed */
export async function removeOldMailCounts(db: Queryable, limit: number): Promise<number> {
  const counts = await db`
    DELETE FROM mail_counts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM mail_counts WHERE expires_at < now() LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return counts.count;
}
