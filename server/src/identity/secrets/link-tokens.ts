import type { Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import {
  deleteToken,
  findUserOfToken,
  type LinkPurpose,
  type LinkUser,
  lockUserOfToken,
  replaceToken,
} from './link-tokens.public.queries.ts';
import { createSecret, hashSecret, type SecretPurpose } from './secrets.ts';

/** Whom a link is for: the address that the mail goes to, and for `change_email` the same as the user wrote it. */
type NewLink = { userId: string; email: string; newEmail?: string; validSeconds: number };

/** The token of a new link. An older link of the same user and purpose does not work any more. */
export async function issueLinkToken(tx: Tx, purpose: LinkPurpose, link: NewLink): Promise<string> {
  const { token, hash } = createLinkToken(purpose);
  await replaceToken(tx, { ...link, purpose, hash });
  return token;
}

/** A token for a link, and what the database keeps of it. */
export function createLinkToken(purpose: SecretPurpose): { token: string; hash: Buffer } {
  const token = createSecret().toString('base64url');
  return { token, hash: hashLinkToken(purpose, token) };
}

/** What the database keeps of the token of a link. */
export function hashLinkToken(purpose: SecretPurpose, token: string): Buffer {
  return hashSecret(purpose, Buffer.from(token));
}

/** The user of a link that works, which stays good; null for any other. */
export async function findLink(db: Queryable, purpose: LinkPurpose, token: string): Promise<LinkUser | null> {
  return findUserOfToken(db, purpose, hashLinkToken(purpose, token));
}

/** Uses a link up. @returns its user, whose row is locked until the commit; null when the link does not work */
export async function takeLink(tx: Tx, purpose: LinkPurpose, token: string): Promise<LinkUser | null> {
  const hash = hashLinkToken(purpose, token);
  // The user first, as whoever issues a link: so nobody waits in a circle.
  const user = await lockUserOfToken(tx, purpose, hash);
  return user !== null && (await deleteToken(tx, hash)) ? user : null;
}

/** The answer to a token that does not work, whatever the reason. */
export function invalidLink(): ApiError {
  const message = 'The link no longer works: it was used, has expired, or was replaced by a newer one.';
  return new ApiError('invalid_token', message, { details: [{ field: 'token', message: 'no longer works' }] });
}
