import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { demandsProvider } from '../../users/users.parts.queries.ts';
import { emailKey } from '../../users/users.public.queries.ts';
import { ATTEMPT_SECONDS } from './attempt.ts';

/** Uses the state of an attempt up. @returns false when it was used before */
export async function spendState(db: Queryable, hash: Uint8Array): Promise<boolean> {
  const rows = await db`
    INSERT INTO used_sign_in_states (hash, expires_at) VALUES (${hash}, now() + make_interval(secs => ${ATTEMPT_SECONDS}))
    ON CONFLICT DO NOTHING RETURNING 1`;
  return rows.length === 1;
}

/** An account that a sign-in may open. */
export type Account = {
  id: string;
  companyId: string | null;
  isEmailVerified: boolean;
  isStaff: boolean;
  /** Of the issuer; null when the account is linked to none. */
  linkedSubject: string | null;
  /** Whether the account's company lets only its provider sign the user in. */
  needsProvider: boolean;
};

type Subject = { issuer: string; subject: string };

/** SQL for an `Account` of the issuer, whose row is locked until the commit. */
function accountOf(tx: Tx, issuer: string) {
  return tx`
    SELECT users.id, users.company_id AS "companyId", users.email_verified_at IS NOT NULL AS "isEmailVerified",
           users.staff_role IS NOT NULL AS "isStaff",
           (SELECT subject FROM sign_in_links WHERE sign_in_links.user_id = users.id AND sign_in_links.issuer = ${issuer})
             AS "linkedSubject",
           ${demandsProvider(tx)} AS "needsProvider"
    FROM users LEFT JOIN companies ON companies.id = users.company_id`;
}

/** The account that is linked to a subject; null when there is none. */
export async function lockLinkedAccount(tx: Tx, { issuer, subject }: Subject): Promise<Account | null> {
  const [account] = await tx<Account[]>`
    ${accountOf(tx, issuer)}
    JOIN sign_in_links AS link ON link.user_id = users.id
    WHERE link.issuer = ${issuer} AND link.subject = ${subject} AND users.disabled_at IS NULL FOR NO KEY UPDATE OF users`;
  return account ?? null;
}

/** The account of an e-mail; null when there is none. */
export async function lockAccountOfEmail(tx: Tx, issuer: string, email: string): Promise<Account | null> {
  const [account] = await tx<Account[]>`
    ${accountOf(tx, issuer)}
    WHERE users.email_key = ${emailKey(email)} AND users.disabled_at IS NULL FOR NO KEY UPDATE OF users`;
  return account ?? null;
}

/**
 * Notes that a company's provider vouches for the e-mail of a member, which nobody has verified here. It holds for as long as the user is a
 * member: the provider of one company says nothing to others.
 */
export async function vouchForEmail(tx: Tx, userId: string): Promise<void> {
  await tx`
    UPDATE users SET email_verified_at = coalesce(email_verified_at, now()), email_vouched_for = true WHERE id = ${userId}`;
}

/**
 * Links an account to a subject. @throws PostgresError on `sign_in_links_pkey` when the subject has an account, and on
 * `sign_in_links_one_subject` when the account has another subject of the issuer
 */
export async function insertLink(tx: Tx, userId: string, { issuer, subject }: Subject): Promise<void> {
  await tx`INSERT INTO sign_in_links (issuer, subject, user_id) VALUES (${issuer}, ${subject}, ${userId})`;
}
