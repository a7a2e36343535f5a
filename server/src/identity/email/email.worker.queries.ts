import type { Queryable } from '../../platform/database/database.ts';

/** Removes up to `limit` tokens that have expired. @returns how many were removed */
export async function removeExpiredTokens(db: Queryable, limit: number): Promise<number> {
  const tokens = await db`
    DELETE FROM email_tokens WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM email_tokens WHERE expires_at < now() LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return tokens.count;
}

/** The same of the ways back to former addresses. */
export async function removeExpiredReverts(db: Queryable, limit: number): Promise<number> {
  const reverts = await db`
    DELETE FROM email_reverts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM email_reverts WHERE expires_at < now() LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return reverts.count;
}
