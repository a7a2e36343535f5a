import type { Db, Tx } from '../../platform/database/database.ts';

/** Up to `limit` users who were deleted more than a minute ago, and whom the audit log has not forgotten for good. */
export async function findUsersToForget(db: Db, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM users
    WHERE deleted_at < now() - interval '1 minute' AND forgotten_at IS NULL ORDER BY deleted_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Notes that the audit log has forgotten a user for good. */
export async function markForgotten(tx: Tx, userId: string): Promise<void> {
  await tx`UPDATE users SET forgotten_at = now() WHERE id = ${userId}`;
}
