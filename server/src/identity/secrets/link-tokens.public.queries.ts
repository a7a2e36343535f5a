import type { Queryable, Tx } from '../../platform/database/database.ts';

/** What the link of a mail is for. */
export type LinkPurpose = 'verify_email' | 'change_email' | 'reset_password';

/** The user that a link belongs to. */
export type LinkUser = {
  id: string;
  companyId: string | null;
  firstName: string;
  lastName: string;
  email: string;
  language: string;
  passwordHash: string | null;
  /** Of a `change_email`: the address that the user will have. */
  newEmail: string | null;
};

export type NewToken = {
  purpose: LinkPurpose;
  userId: string;
  email: string;
  newEmail?: string;
  hash: Uint8Array;
  validSeconds: number;
};

/** Keeps the token of a link, in place of an older one of the same user and purpose. */
export async function replaceToken(db: Queryable, token: NewToken): Promise<void> {
  const { purpose, userId, email, newEmail = null, hash, validSeconds } = token;
  await db`
    INSERT INTO email_tokens (user_id, purpose, hash, email_key, new_email, expires_at)
    VALUES (${userId}, ${purpose}, ${hash}, ${email.toLowerCase()}, ${newEmail}, now() + make_interval(secs => ${validSeconds}))
    ON CONFLICT (user_id, purpose) DO UPDATE
    SET hash = excluded.hash, email_key = excluded.email_key, new_email = excluded.new_email, expires_at = excluded.expires_at`;
}

/**
 * SQL for the user of a token that has not expired. A link to the address that the user has works as long as that is the user's address.
 */
function userOfToken(db: Queryable, purpose: LinkPurpose, hash: Uint8Array) {
  return db`
    SELECT users.id, company_id AS "companyId", first_name AS "firstName", last_name AS "lastName", users.email, language,
           password_hash AS "passwordHash", new_email AS "newEmail"
    FROM email_tokens JOIN users ON users.id = email_tokens.user_id
    WHERE hash = ${hash} AND purpose = ${purpose} AND expires_at > now() AND disabled_at IS NULL
      AND (new_email IS NOT NULL OR users.email_key = email_tokens.email_key)`;
}

/** The user of a token; null when it does not work. */
export async function findUserOfToken(db: Queryable, purpose: LinkPurpose, hash: Uint8Array): Promise<LinkUser | null> {
  const [user] = await db<LinkUser[]>`${userOfToken(db, purpose, hash)}`;
  return user ?? null;
}

/** The same, and locks the user's row until the commit. */
export async function lockUserOfToken(tx: Tx, purpose: LinkPurpose, hash: Uint8Array): Promise<LinkUser | null> {
  const [user] = await tx<LinkUser[]>`${userOfToken(tx, purpose, hash)} FOR NO KEY UPDATE OF users`;
  return user ?? null;
}

/** @returns whether it was there */
export async function deleteToken(tx: Tx, hash: Uint8Array): Promise<boolean> {
  return (await tx`DELETE FROM email_tokens WHERE hash = ${hash}`).count === 1;
}

/** Closes the open link of a user for a purpose, or for all of them. */
export async function deleteTokensOfUser(tx: Tx, userId: string, purpose: LinkPurpose | null = null): Promise<void> {
  await tx`DELETE FROM email_tokens WHERE user_id = ${userId} AND (${purpose}::text IS NULL OR purpose = ${purpose})`;
}
