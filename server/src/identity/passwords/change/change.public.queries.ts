import type { Tx } from '../../../platform/database/database.ts';

/**
 * Replaces the password of a user, whose row it locks until the commit.
 * @returns false when the user does not have the expected one any more
 */
export async function replacePassword(
  tx: Tx,
  { userId, from, to }: { userId: string; from: string | null; to: string },
): Promise<boolean> {
  const rows = await tx`
    UPDATE users SET password_hash = ${to}, updated_at = now()
    WHERE id = ${userId} AND password_hash IS NOT DISTINCT FROM ${from} AND disabled_at IS NULL
    RETURNING 1`;
  return rows.length === 1;
}
