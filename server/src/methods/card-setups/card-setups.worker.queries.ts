import type { Db } from '../../platform/database/database.ts';

/** Removes up to `limit` setups that were not used and expired 30 days ago. @returns how many */
export async function deleteOldSetups(db: Db, limit: number): Promise<number> {
  const { count } = await db`
    DELETE FROM card_setups
    WHERE (company_id, id) IN (
      SELECT company_id, id FROM card_setups WHERE used_at IS NULL AND expires_at < now() - interval '30 days' LIMIT ${limit}
    )`;
  return count;
}
