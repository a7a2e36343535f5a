import type { Queryable, Tx } from '../../platform/database/database.ts';
import { emailKey } from '../users/users.public.queries.ts';

/** Notes that a user can read mails to the address. From the first time on, what is set up for logging in counts as the owner's. */
export async function markVerified(db: Queryable, userId: string): Promise<void> {
  await db`
    UPDATE users SET email_verified_at = coalesce(email_verified_at, now()), email_vouched_for = false,
      trusted_from = coalesce(trusted_from, now())
    WHERE id = ${userId}`;
}

/** Notes that the user of the session is the owner of the address: all that was set up for logging in counts as theirs. */
export async function trustSinceSignUp(tx: Tx, userId: string, sessionId: string): Promise<void> {
  await tx`
    UPDATE users SET trusted_from = coalesce(trusted_from, created_at) WHERE id = ${userId} AND ${isOpen(tx, sessionId)}`;
}

/** SQL for whether the session is an open one of the user of the row: another process may know it for a second longer. */
function isOpen(db: Queryable, sessionId: string | null) {
  return db`EXISTS (
    SELECT FROM sessions WHERE sessions.id = ${sessionId}::uuid AND user_id = users.id AND revoked_at IS NULL AND expires_at > now())`;
}

/** Reads a user whose e-mail is not verified, whom it locks; null for any other. */
export async function lockUnverifiedUser(
  tx: Tx,
  userId: string,
): Promise<{ id: string; companyId: string | null; email: string; language: string } | null> {
  const [user] = await tx<{ id: string; companyId: string | null; email: string; language: string }[]>`
    SELECT id, company_id AS "companyId", email, language FROM users
    WHERE id = ${userId} AND email_verified_at IS NULL AND disabled_at IS NULL FOR NO KEY UPDATE`;
  return user ?? null;
}

/**
 * Locks the row of a user whose address and password were read, until the commit: a change of the password closes the links that this
 * transaction sends, or comes first. @returns false when one of the two was changed, or the account closed, since
 */
export async function lockConfirmedUser(
  tx: Tx,
  { id, email, passwordHash }: { id: string; email: string; passwordHash: string | null },
): Promise<boolean> {
  const rows = await tx`
    SELECT 1 FROM users
    WHERE id = ${id} AND email = ${email} AND password_hash IS NOT DISTINCT FROM ${passwordHash} AND disabled_at IS NULL
    FOR NO KEY UPDATE`;
  return rows.length === 1;
}

/**
 * Gives a user another address, which somebody has shown to read. What was set up for logging in before counts no longer as the owner's,
 * unless that was the user of the session. The operator's people stay who they are: an invitation has made their account.
 * @throws PostgresError on the constraint `users_email_key` when the address has an account
 */
export async function replaceEmail(
  tx: Tx,
  userId: string,
  { email, sessionId }: { email: string; sessionId: string | null },
): Promise<void> {
  await tx`
    UPDATE users SET email = ${email}, email_key = ${emailKey(email)}, email_verified_at = now(), email_vouched_for = false,
        trusted_from = CASE WHEN staff_role IS NOT NULL OR ${isOpen(tx, sessionId)}
          THEN coalesce(trusted_from, created_at) ELSE now() END,
        updated_at = now()
    WHERE id = ${userId}`;
}
