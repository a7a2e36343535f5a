import type { Db } from '../../platform/database/database.ts';

/** Deletes requests that no longer count, up to `limit`, and those of processes that died. @returns how many there were */
export async function removeOldCountedRequests(db: Db, limit: number): Promise<number> {
  const { count } = await db`
    DELETE FROM asked_charges WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM asked_charges
      WHERE asked_at < now() - interval '2 hours'
        OR (payment_id IS NULL AND state = 'open' AND asked_at < now() - interval '10 minutes')
      LIMIT ${limit}))`;
  return count;
}
