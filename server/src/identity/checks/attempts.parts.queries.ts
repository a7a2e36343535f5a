import type { Part, Queryable } from '../../platform/database/database.ts';

/** SQL that locks the row of a user whose password was checked; no row when it was changed, or the account closed, since. */
export function lockedUser(db: Queryable, { id, passwordHash }: { id: string; passwordHash: string | null }): Part {
  return db`
    SELECT 1 FROM users
    WHERE id = ${id} AND password_hash IS NOT DISTINCT FROM ${passwordHash} AND disabled_at IS NULL FOR SHARE`;
}
