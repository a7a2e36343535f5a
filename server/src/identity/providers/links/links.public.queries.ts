import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { demandsProvider } from '../../users/users.parts.queries.ts';
import type { Link } from './links.schema.ts';

/** The links of a user to providers, newest first. */
export async function findLinks(db: Queryable, userId: string): Promise<Link[]> {
  return db<Link[]>`
    SELECT id, provider, issuer, email, created_at, last_used_at FROM sign_in_links
    WHERE user_id = ${userId} ORDER BY created_at DESC, id DESC`;
}

/** Deletes a link of a user. @returns it; null when the user has none with this id */
export async function deleteLink(
  tx: Tx,
  userId: string,
  id: string,
): Promise<{ provider: string | null; issuer: string } | null> {
  const [row] = await tx<{ provider: string | null; issuer: string }[]>`
    DELETE FROM sign_in_links WHERE user_id = ${userId} AND id = ${id} RETURNING provider, issuer`;
  return row ?? null;
}

/** What logs a user in. */
export type WaysIn = {
  companyId: string | null;
  /** A password, or a passkey. */
  logsIn: boolean;
  /** Whether the user's company lets only its provider sign the user in. */
  needsProvider: boolean;
  hasLink: boolean;
  /** Whether the provider of the user's company may use one of the links. */
  hasLinkOfCompany: boolean;
};

/** Locks the row of a user until the commit, so that of two changes of the ways to log in one sees the other. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
}

/** What logs a user in; null when the account was closed. */
export async function findWaysIn(tx: Tx, userId: string): Promise<WaysIn | null> {
  const [row] = await tx<WaysIn[]>`
    SELECT users.company_id AS "companyId", ${demandsProvider(tx)} AS "needsProvider",
           users.password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = users.id) AS "logsIn",
           count(links.id) > 0 AS "hasLink", coalesce(bool_or(links.is_of_company), false) AS "hasLinkOfCompany"
    FROM users
      LEFT JOIN companies ON companies.id = users.company_id
      LEFT JOIN sign_in_links AS links ON links.user_id = users.id
    WHERE users.id = ${userId} AND users.disabled_at IS NULL
    GROUP BY users.id, companies.id`;
  return row ?? null;
}
