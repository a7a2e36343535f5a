import type { Db } from '../../platform/database/database.ts';

/** Removes sessions that ended a while ago, up to `limit` of them. @returns how many there were */
export async function deleteExpiredSessions(db: Db, limit: number): Promise<number> {
  const sessions = await db`
    DELETE FROM sessions WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM sessions WHERE expires_at < now() - interval '7 days' LIMIT ${limit}))`;
  return sessions.count;
}
