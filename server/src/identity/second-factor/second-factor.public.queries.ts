import type { Queryable, Tx } from '../../platform/database/database.ts';
import { demandsSecondFactor } from '../users/users.parts.queries.ts';

/** A user as far as second factors are concerned. */
export type FactorOwner = {
  id: string;
  companyId: string | null;
  firstName: string;
  lastName: string;
  email: string;
  language: string;
  /** Whether a second factor is demanded of the user. */
  isDemanded: boolean;
  hasTotp: boolean;
  passkeys: number;
};

/**
 * Reads the user of a session, whom it locks until the transaction ends: so of two changes at once each knows which second factors the
 * other leaves. Null when the account was closed, or the session was ended, as by a change of the password.
 */
export async function lockFactorOwner(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<FactorOwner | null> {
  // A statement that waits for the lock would count what there was before.
  await tx`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  const [owner] = await tx<FactorOwner[]>`
    SELECT users.id, company_id AS "companyId", first_name AS "firstName", last_name AS "lastName", users.email, language,
           ${demandsSecondFactor(tx)} AS "isDemanded",
           EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = users.id AND confirmed_at IS NOT NULL) AS "hasTotp",
           (SELECT count(*) FROM passkeys WHERE user_id = users.id)::int AS passkeys
    FROM users LEFT JOIN companies ON companies.id = users.company_id
    WHERE users.id = ${userId} AND disabled_at IS NULL
      AND EXISTS (SELECT FROM sessions WHERE sessions.id = ${sessionId} AND user_id = users.id AND revoked_at IS NULL)`;
  return owner ?? null;
}

/** Which of the three ways to show a second factor a user has. */
export type FactorKinds = { hasTotp: boolean; hasRecoveryCodes: boolean };

/** Reads which kinds of codes a user has. */
export async function findFactorKinds(db: Queryable, userId: string): Promise<FactorKinds> {
  const [row] = await db<[FactorKinds]>`
    SELECT EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) AS "hasTotp",
           EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ${userId}) AS "hasRecoveryCodes"`;
  return row;
}

/** Keeps a secret that counts from its confirmation on, in place of one that was never confirmed. */
export async function replaceUnconfirmedSecret(tx: Tx, userId: string, secret: Uint8Array): Promise<void> {
  await tx`
    INSERT INTO totp_secrets (user_id, secret) VALUES (${userId}, ${secret})
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret WHERE totp_secrets.confirmed_at IS NULL`;
}

export type TotpSecret = { secret: Buffer; usedStep: number };

/** Reads the user's secret, which it locks until the transaction ends: one that counts, or one that waits for its confirmation. */
export async function lockTotpSecret(
  tx: Tx,
  userId: string,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<TotpSecret | null> {
  const [row] = await tx<TotpSecret[]>`
    SELECT secret, used_step::float8 AS "usedStep" FROM totp_secrets
    WHERE user_id = ${userId} AND (confirmed_at IS NOT NULL) = ${isConfirmed} FOR UPDATE`;
  return row ?? null;
}

/** Notes that the code of a time step was accepted; the first one confirms the secret. */
export async function useTimeStep(tx: Tx, userId: string, step: number): Promise<void> {
  await tx`
    UPDATE totp_secrets SET used_step = ${step}, confirmed_at = coalesce(confirmed_at, now()) WHERE user_id = ${userId}`;
}

/** Removes the user's secret. */
export async function deleteTotpSecret(tx: Tx, userId: string): Promise<void> {
  await tx`DELETE FROM totp_secrets WHERE user_id = ${userId}`;
}

/** Keeps these recovery codes in place of those that the user has; none removes them. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly Uint8Array[]): Promise<void> {
  await tx`DELETE FROM recovery_codes WHERE user_id = ${userId}`;
  if (hashes.length === 0) return;
  await tx`INSERT INTO recovery_codes ${tx(hashes.map((hash) => ({ user_id: userId, hash })))}`;
}

/** Uses a recovery code up. @returns whether the user had it */
export async function useRecoveryCode(tx: Tx, userId: string, hash: Uint8Array): Promise<boolean> {
  const rows = await tx`DELETE FROM recovery_codes WHERE user_id = ${userId} AND hash = ${hash} RETURNING 1`;
  return rows.length === 1;
}
