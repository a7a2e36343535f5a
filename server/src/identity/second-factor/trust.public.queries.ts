import type { Queryable, Tx } from '../../platform/database/database.ts';

/** SQL for whether what was set up at this time counts as set up by the owner of the e-mail address of the row of `users`. */
function isTrusted(db: Queryable, at: ReturnType<Queryable>) {
  return db`coalesce(${at} >= users.trusted_from AND ${at} < coalesce(users.trusted_until, 'infinity'), false)`;
}

/** Removes the passkeys of a user that do not count as the owner's. @returns the removed ones, newest first */
export async function deleteDistrustedPasskeys(tx: Tx, userId: string): Promise<{ id: string; name: string }[]> {
  const passkeys = await tx<{ id: string; name: string }[]>`
    DELETE FROM passkeys USING users
    WHERE users.id = ${userId} AND user_id = users.id AND NOT ${isTrusted(tx, tx`passkeys.created_at`)}
    RETURNING passkeys.id, passkeys.name`;
  return [...passkeys].sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** Forgets a secret of TOTP whose first code nobody has sent yet. One that was ended has had a code, and may be turned on again. */
export async function deleteBegunTotp(tx: Tx, userId: string): Promise<void> {
  await tx`DELETE FROM totp_secrets WHERE user_id = ${userId} AND confirmed_at IS NULL AND used_step = 0`;
}

/**
 * Turns TOTP off that does not count as the owner's. The secret waits for its first code again, by which the user keeps it.
 * @returns whether it was on
 */
export async function suspendDistrustedTotp(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx`
    UPDATE totp_secrets SET confirmed_at = NULL FROM users
    WHERE users.id = ${userId} AND user_id = users.id AND confirmed_at IS NOT NULL AND NOT ${isTrusted(tx, tx`confirmed_at`)}
    RETURNING 1`;
  return rows.length === 1;
}

/** Removes recovery codes that do not count as the owner's, and all of a user without a second factor. @returns whether there were any */
export async function deleteDistrustedCodes(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx`
    DELETE FROM recovery_codes USING users
    WHERE users.id = ${userId} AND user_id = users.id AND (
      NOT ${isTrusted(tx, tx`recovery_codes.created_at`)} OR NOT (
        EXISTS (SELECT FROM passkeys WHERE passkeys.user_id = users.id)
        OR EXISTS (SELECT FROM totp_secrets WHERE totp_secrets.user_id = users.id AND confirmed_at IS NOT NULL)))
    RETURNING 1`;
  return rows.length > 0;
}

/** Removes links to providers that do not count as the owner's; who is let in by that of the company is the company's to say. */
export async function deleteDistrustedLinks(tx: Tx, userId: string): Promise<void> {
  await tx`
    DELETE FROM sign_in_links USING users
    WHERE users.id = ${userId} AND user_id = users.id AND NOT is_of_company
      AND NOT ${isTrusted(tx, tx`sign_in_links.created_at`)}`;
}

/** Removes the challenges of passkeys that a user has begun to register. */
export async function deleteChallengesOfUser(tx: Tx, userId: string): Promise<void> {
  await tx`DELETE FROM passkey_challenges WHERE user_id = ${userId}`;
}

/** The second factors that a user has. */
export async function findFactorNames(
  db: Queryable,
  userId: string,
): Promise<{ passkeys: string[]; hasTotp: boolean; hasRecoveryCodes: boolean }> {
  const [row] = await db<[{ passkeys: string[]; hasTotp: boolean; hasRecoveryCodes: boolean }]>`
    SELECT (SELECT coalesce(json_agg(name ORDER BY id DESC), '[]') FROM passkeys WHERE user_id = ${userId}) AS passkeys,
           EXISTS (SELECT FROM totp_secrets WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) AS "hasTotp",
           EXISTS (SELECT FROM recovery_codes WHERE user_id = ${userId}) AS "hasRecoveryCodes"`;
  return row;
}

/** Notes that somebody has shown to read the address of a user: from the first time on, what is set up counts as the owner's. */
export async function trustFromFirstProof(tx: Tx, userId: string): Promise<void> {
  await tx`UPDATE users SET trusted_from = coalesce(trusted_from, now()) WHERE id = ${userId}`;
}

/** From now on all that is set up counts again: nobody but the owner of the address knows the password. */
export async function trustWithoutEnd(tx: Tx, userId: string): Promise<void> {
  await tx`UPDATE users SET trusted_until = NULL WHERE id = ${userId}`;
}

/** How long before a change of the e-mail was asked for a factor was set up that still counts after the way back. */
const SETTLED_HOURS = 72;

/**
 * Goes back to what counted as the owner's when a change of the e-mail was asked for. Whoever asked for it may have set up factors shortly
 * before, and knows the password: what is set up later counts only once that was reset.
 */
export async function distrustSince(
  tx: Tx,
  userId: string,
  { askedAt, trustedFrom }: { askedAt: Date; trustedFrom: Date | null },
): Promise<void> {
  await tx`
    UPDATE users SET trusted_from = ${trustedFrom},
      trusted_until = least(trusted_until, ${askedAt}::timestamptz - make_interval(hours => ${SETTLED_HOURS}))
    WHERE id = ${userId}`;
}
