import type { Tx } from '../../platform/database/database.ts';
import { emailKey } from '../users/users.public.queries.ts';

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

/**
 * Unlinks a user whose e-mail was never verified from providers of single sign-on, once the owner of the address has reset the password: a
 * company's provider may have made the account for somebody else.
 */
export async function unlinkUnverified(tx: Tx, userId: string): Promise<void> {
  await tx`
    DELETE FROM sign_in_links USING users
    WHERE users.id = ${userId} AND user_id = users.id AND email_verified_at IS NULL`;
}

/** The user of an e-mail, with the row locked until the commit; null when there is none. */
export async function lockUserByEmail(
  tx: Tx,
  email: string,
): Promise<{ id: string; companyId: string | null; email: string; language: string } | null> {
  const [user] = await tx<{ id: string; companyId: string | null; email: string; language: string }[]>`
    SELECT id, company_id AS "companyId", email, language FROM users
    WHERE email_key = ${emailKey(email)} AND disabled_at IS NULL FOR NO KEY UPDATE`;
  return user ?? null;
}
