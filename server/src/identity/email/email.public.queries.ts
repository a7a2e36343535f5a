import type { Queryable, Tx } from '../../platform/database/database.ts';

/** Keeps the token for verifying this address, in place of an older one. */
export async function replaceToken(
  db: Queryable,
  token: { userId: string; email: string; hash: Uint8Array; validSeconds: number },
): Promise<void> {
  const { userId, email, hash, validSeconds } = token;
  await db`
    INSERT INTO email_tokens (user_id, purpose, hash, email_key, expires_at)
    VALUES (${userId}, 'verify_email', ${hash}, ${email.toLowerCase()}, now() + make_interval(secs => ${validSeconds}))
    ON CONFLICT (user_id, purpose) DO UPDATE
    SET hash = excluded.hash, email_key = excluded.email_key, expires_at = excluded.expires_at`;
}

export type VerifiedUser = { id: string; companyId: string | null; firstName: string; lastName: string; email: string };

/**
 * Uses the token up, and notes that its user's e-mail is verified. @returns the user; null when there is no such token,
 * or the user no longer has the address that it was sent to
 */
export async function markVerified(db: Queryable, hash: Uint8Array): Promise<VerifiedUser | null> {
  const [user] = await db<VerifiedUser[]>`
    WITH used AS (
      DELETE FROM email_tokens WHERE hash = ${hash} RETURNING user_id, email_key, expires_at
    )
    UPDATE users SET email_verified_at = coalesce(email_verified_at, now())
    FROM used
    WHERE users.id = used.user_id AND users.email_key = used.email_key AND used.expires_at > now()
      AND users.disabled_at IS NULL
    RETURNING users.id, company_id AS "companyId", first_name AS "firstName", last_name AS "lastName", users.email`;
  return user ?? null;
}

/** Reads a user whose e-mail is not verified, whom it locks; null for any other. */
export async function lockUnverifiedUser(
  tx: Tx,
  userId: string,
): Promise<{ id: string; companyId: string | null; email: string; language: string } | null> {
  const [user] = await tx<{ id: string; companyId: string | null; email: string; language: string }[]>`
    SELECT id, company_id AS "companyId", email, language FROM users
    WHERE id = ${userId} AND email_verified_at IS NULL FOR UPDATE`;
  return user ?? null;
}
