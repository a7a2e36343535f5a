import type { Queryable } from '../../../platform/database/database.ts';

/** Removes up to `limit` tokens that have expired. @returns how many were removed */
export async function removeExpiredLoginTokens(db: Queryable, limit: number): Promise<number> {
  const tokens = await db`
    DELETE FROM second_factor_tokens WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM second_factor_tokens WHERE expires_at < now() LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return tokens.count;
}
