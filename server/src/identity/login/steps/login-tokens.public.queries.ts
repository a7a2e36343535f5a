import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { profileColumns } from '../../users/users.parts.queries.ts';
import type { ProfiledUser } from '../../users/users.public.queries.ts';

/** Keeps the hash of a token that waits for a second factor, with that of its challenge for a passkey. */
export async function insertLoginToken(
  db: Queryable,
  token: { hash: Uint8Array; userId: string; challengeHash: Uint8Array | null; validSeconds: number },
): Promise<void> {
  const { hash, userId, challengeHash, validSeconds } = token;
  await db`
    INSERT INTO second_factor_tokens (hash, user_id, challenge_hash, expires_at)
    VALUES (${hash}, ${userId}, ${challengeHash}, now() + make_interval(secs => ${validSeconds}))`;
}

/** Counts a try of a token. @returns its user; null when it is unknown, has expired, or has no tries left */
export async function countTry(db: Queryable, hash: Uint8Array, maxTries: number): Promise<ProfiledUser | null> {
  const [user] = await db<ProfiledUser[]>`
    UPDATE second_factor_tokens SET tries = tries + 1
    FROM users LEFT JOIN companies ON companies.id = users.company_id
    WHERE hash = ${hash} AND tries < ${maxTries} AND second_factor_tokens.expires_at > now()
      AND users.id = second_factor_tokens.user_id AND users.disabled_at IS NULL
    RETURNING ${profileColumns(db)}`;
  return user ?? null;
}

/** Uses up the challenge of a token. @returns whether it was the token's, and not used yet */
export async function useChallengeOfToken(
  db: Queryable,
  hash: Uint8Array,
  challengeHash: Uint8Array,
): Promise<boolean> {
  const rows = await db`
    UPDATE second_factor_tokens SET challenge_hash = NULL
    WHERE hash = ${hash} AND challenge_hash = ${challengeHash} RETURNING 1`;
  return rows.length === 1;
}

/**
 * Locks the user of a token and the token until the transaction ends. The user first, so that a change of the password either sees the
 * session that this transaction begins, and ends it, or comes first and removes the token. @returns whether the token still exists
 */
export async function lockLoginToken(tx: Tx, hash: Uint8Array, userId: string): Promise<boolean> {
  await tx`SELECT 1 FROM users WHERE id = ${userId} FOR SHARE`;
  const rows = await tx`SELECT 1 FROM second_factor_tokens WHERE hash = ${hash} FOR UPDATE`;
  return rows.length === 1;
}

/** Removes a token, whose login is finished. */
export async function deleteLoginToken(tx: Tx, hash: Uint8Array): Promise<void> {
  await tx`DELETE FROM second_factor_tokens WHERE hash = ${hash}`;
}

/** Finds a user by the id; null when the account was closed. */
export async function findUserById(db: Queryable, userId: string): Promise<ProfiledUser | null> {
  const [user] = await db<ProfiledUser[]>`
    SELECT ${profileColumns(db)} FROM users LEFT JOIN companies ON companies.id = users.company_id
    WHERE users.id = ${userId} AND disabled_at IS NULL`;
  return user ?? null;
}
