import type { Queryable } from '../../platform/database/database.ts';

/** Removes up to `limit` challenges that have expired. @returns how many were removed */
export async function removeExpiredChallenges(db: Queryable, limit: number): Promise<number> {
  const challenges = await db`
    DELETE FROM passkey_challenges WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM passkey_challenges WHERE expires_at < now() LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return challenges.count;
}
