import type { Db } from '../../platform/database/database.ts';

/** Removes up to `limit` sessions that ended more than a week ago. @returns how many were removed */
export async function deleteExpiredSessions(db: Db, limit: number): Promise<number> {
  const sessions = await db`
    DELETE FROM sessions WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM sessions WHERE expires_at < now() - interval '7 days' LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return sessions.count;
}
