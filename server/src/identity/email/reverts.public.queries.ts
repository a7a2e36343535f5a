import type { Tx } from '../../platform/database/database.ts';
import { emailKey } from '../users/users.public.queries.ts';

/** Keeps a way back to the address that the user has, and to the second factors that count as its owner's. */
export async function insertRevert(
  tx: Tx,
  { userId, email, hash, validSeconds }: { userId: string; email: string; hash: Uint8Array; validSeconds: number },
): Promise<void> {
  await tx`
    INSERT INTO email_reverts (hash, user_id, email, email_key, expires_at, trusted_from)
    SELECT ${hash}, id, ${email}, ${emailKey(email)}, now() + make_interval(secs => ${validSeconds}), trusted_from
    FROM users WHERE id = ${userId}`;
}

/** A way back, and its user as they are now. */
export type Revert = {
  id: string;
  companyId: string | null;
  firstName: string;
  lastName: string;
  email: string;
  language: string;
  formerEmail: string;
  askedAt: Date;
  /** Since when second factors counted as the owner's when the change was asked for; null for never. */
  trustedFrom: Date | null;
};

/** The way back of a token, with the row of its user locked until the commit; null when there is none, or it has expired. */
export async function lockUserOfRevert(tx: Tx, hash: Uint8Array): Promise<Revert | null> {
  const [revert] = await tx<Revert[]>`
    SELECT users.id, company_id AS "companyId", first_name AS "firstName", last_name AS "lastName", users.email, language,
           email_reverts.email AS "formerEmail", asked_at AS "askedAt", email_reverts.trusted_from AS "trustedFrom"
    FROM email_reverts JOIN users ON users.id = email_reverts.user_id
    WHERE hash = ${hash} AND expires_at > now() AND disabled_at IS NULL
    FOR NO KEY UPDATE OF users`;
  return revert ?? null;
}

/**
 * Closes a way back that was used, and those that were opened after it: whoever changed the address again must not undo this.
 * @returns false when somebody else has used it meanwhile
 */
export async function closeReverts(tx: Tx, hash: Uint8Array): Promise<boolean> {
  const closed = await tx`
    DELETE FROM email_reverts USING email_reverts AS used
    WHERE used.hash = ${hash} AND email_reverts.user_id = used.user_id AND email_reverts.expires_at >= used.expires_at`;
  return closed.count > 0;
}

/** Ends the links to providers that a user has made since a way back was opened: by an address that may be somebody else's. */
export async function unlinkSince(tx: Tx, userId: string, askedAt: Date): Promise<void> {
  await tx`DELETE FROM sign_in_links WHERE user_id = ${userId} AND created_at >= ${askedAt}`;
}
