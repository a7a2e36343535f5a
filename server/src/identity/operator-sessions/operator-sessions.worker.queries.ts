import type { Db } from '../../platform/database/database.ts';

/** Removes up to `limit` sessions that expired more than a day ago. @returns how many were removed */
export async function deleteExpiredSessions(db: Db, limit: number): Promise<number> {
  const sessions = await db`
    DELETE FROM operator_sessions WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM operator_sessions WHERE expires_at < now() - interval '1 day' LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return sessions.count;
}
