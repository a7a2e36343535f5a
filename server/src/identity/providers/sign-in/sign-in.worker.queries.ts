import type { Queryable } from '../../../platform/database/database.ts';

/** Removes up to `limit` used states, whose attempts have expired. @returns how many were removed */
export async function removeExpiredStates(db: Queryable, limit: number): Promise<number> {
  const states = await db`
    DELETE FROM used_sign_in_states WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM used_sign_in_states WHERE expires_at < now() LIMIT ${limit}))`;
  return states.count;
}
