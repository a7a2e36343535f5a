import type { Tx } from '../../platform/database/database.ts';

/** The company of a user, null for a customer; undefined when the account was closed. */
export async function findCompanyOf(tx: Tx, userId: string): Promise<string | null | undefined> {
  const [row] = await tx<{ companyId: string | null }[]>`
    SELECT company_id AS "companyId" FROM users WHERE id = ${userId} AND disabled_at IS NULL`;
  return row?.companyId;
}

/**
 * Removes the personal data of a user, who is no member any more, and makes the row a tombstone.
 * @returns the other addresses that the user has had lately, or asked for; null when the user has joined a company or was deleted meanwhile
 */
export async function eraseUser(tx: Tx, userId: string): Promise<string[] | null> {
  const erased = await tx`
    UPDATE users SET
      first_name = '', last_name = '', email = '', email_key = id::text, email_verified_at = NULL, password_hash = NULL, phone = '',
      country = '', city = '', avatar = '', language = '', timezone = '', default_app = '', disabled_at = coalesce(disabled_at, now()),
      deleted_at = now(), updated_at = now()
    WHERE id = ${userId} AND company_id IS NULL AND deleted_at IS NULL`;
  if (erased.count === 0) return null;
  const former = await tx<{ email: string }[]>`DELETE FROM email_reverts WHERE user_id = ${userId} RETURNING email`;
  const wanted = await tx<{ email: string | null }[]>`
    DELETE FROM email_tokens WHERE user_id = ${userId} RETURNING new_email AS email`;
  await tx`DELETE FROM known_networks WHERE user_id = ${userId}`;
  await tx`DELETE FROM totp_secrets WHERE user_id = ${userId}`;
  await tx`DELETE FROM recovery_codes WHERE user_id = ${userId}`;
  await tx`DELETE FROM passkeys WHERE user_id = ${userId}`;
  await tx`DELETE FROM passkey_challenges WHERE user_id = ${userId}`;
  await tx`DELETE FROM second_factor_tokens WHERE user_id = ${userId}`;
  await tx`DELETE FROM sign_in_links WHERE user_id = ${userId}`;
  await tx`DELETE FROM sessions WHERE user_id = ${userId}`;
  await tx`SELECT forget_user_events(${userId})`;
  return [...former, ...wanted].flatMap(({ email }) => email ?? []);
}
