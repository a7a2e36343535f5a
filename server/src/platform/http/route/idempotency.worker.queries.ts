import type { Db } from '../../database/database.ts';
import { RETENTION_HOURS } from './idempotency.queries.ts';

/** Removes up to `limit` answers that are older than a day, of any company. @returns how many there were */
export async function removeOldKeys(db: Db, limit: number): Promise<number> {
  const removed = await db`
    DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_keys WHERE created_at < now() - make_interval(hours => ${RETENTION_HOURS}) LIMIT ${limit}))`;
  return removed.count;
}
