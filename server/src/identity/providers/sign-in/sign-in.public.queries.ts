import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { demandsProvider, hasSecondFactor } from '../../users/users.parts.queries.ts';
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
  /** Whether it has a password or a second factor. */
  hasOwnLogin: boolean;
  /** Of the issuer; null when the account is linked to none. */
  linkedSubject: string | null;
  /** Whether the provider of the account's company may use that link. */
  isLinkOfCompany: boolean;
  /** Whether the account's company lets only its provider sign the user in. */
  needsProvider: boolean;
};

type Subject = { issuer: string; subject: string };

/** SQL for an `Account` of the issuer, whose row is locked until the commit. */
function accountOf(tx: Tx, issuer: string) {
  return tx`
    SELECT users.id, users.company_id AS "companyId", users.email_verified_at IS NOT NULL AS "isEmailVerified",
           users.staff_role IS NOT NULL AS "isStaff",
           users.password_hash IS NOT NULL OR ${hasSecondFactor(tx)} AS "hasOwnLogin",
           own.subject AS "linkedSubject", coalesce(own.is_of_company, false) AS "isLinkOfCompany",
           ${demandsProvider(tx)} AS "needsProvider"
    FROM users
      LEFT JOIN companies ON companies.id = users.company_id
      LEFT JOIN sign_in_links AS own ON own.user_id = users.id AND own.issuer = ${issuer}`;
}

/** The account that is linked to a subject; null when there is none. */
export async function lockLinkedAccount(tx: Tx, { issuer, subject }: Subject): Promise<Account | null> {
  const [account] = await tx<Account[]>`
    ${accountOf(tx, issuer)}
    WHERE own.subject = ${subject} AND users.disabled_at IS NULL FOR NO KEY UPDATE OF users`;
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

/** A link as it is used. */
export type UsedLink = Subject & {
  id: string;
  userId: string;
  isOfCompany: boolean;
  provider: string;
  email: string | null;
};

/**
 * Links an account to a subject, or lets the provider of the account's company use the link that there is. @returns false when the subject
 * has another account
 * @throws PostgresError on `sign_in_links_one_subject` when the account has another subject of the issuer
 */
export async function upsertLink(tx: Tx, link: UsedLink): Promise<boolean> {
  const rows = await tx`
    INSERT INTO sign_in_links AS existing (id, issuer, subject, user_id, is_of_company, provider, email, last_used_at)
    VALUES (${link.id}, ${link.issuer}, ${link.subject}, ${link.userId}, ${link.isOfCompany}, ${link.provider}, ${link.email}, now())
    ON CONFLICT (issuer, subject) DO UPDATE
    SET is_of_company = existing.is_of_company OR excluded.is_of_company, provider = excluded.provider, email = excluded.email,
        created_at = now(), last_used_at = now()
    WHERE existing.user_id = excluded.user_id
    RETURNING 1`;
  return rows.length === 1;
}

/** Notes that a link is used now. @returns whether it is still there */
export async function noteLinkUse(
  tx: Tx,
  { issuer, subject, provider, email }: Subject & Pick<UsedLink, 'provider' | 'email'>,
): Promise<boolean> {
  const rows = await tx`
    UPDATE sign_in_links SET last_used_at = now(), provider = ${provider}, email = coalesce(${email}, email)
    WHERE issuer = ${issuer} AND subject = ${subject} RETURNING 1`;
  return rows.length === 1;
}

/** Whether a session is open, which nobody ends until the transaction does. */
export async function lockOpenSession(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  const rows = await tx`
    SELECT 1 FROM sessions
    WHERE id = ${sessionId} AND user_id = ${userId} AND revoked_at IS NULL AND expires_at > now() FOR SHARE`;
  return rows.length === 1;
}
