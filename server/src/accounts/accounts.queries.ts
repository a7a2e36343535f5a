import type { CompanyProfile } from '../companies/companies.service.ts';
import type { Db, Queryable } from '../database/database.ts';
import type { RoleName } from '../permissions.ts';

export type User = {
  id: string;
  companyId: string | null;
  role: RoleName;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  country: string;
  city: string;
  avatar: string;
  language: string;
  timezone: string;
  defaultApp: string;
};

export type NewUser = Pick<User, 'id' | 'companyId' | 'role' | 'firstName' | 'lastName' | 'email'> & {
  passwordHash: string;
};

/** How e-mails are compared: without case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** @throws PostgresError on the constraint `users_email_key` when the e-mail has an account. */
export async function insertUser(db: Queryable, user: NewUser): Promise<void> {
  await db`
    INSERT INTO users (id, company_id, role, first_name, last_name, email, email_key, password_hash)
    VALUES (${user.id}, ${user.companyId}, ${user.role}, ${user.firstName}, ${user.lastName}, ${user.email},
            ${emailKey(user.email)}, ${user.passwordHash})`;
}

/** Whether an e-mail has an account; asked before a sign-up spends a hash on it. */
export async function isEmailTaken(db: Queryable, email: string): Promise<boolean> {
  const rows = await db`SELECT 1 FROM users WHERE email_key = ${emailKey(email)}`;
  return rows.length === 1;
}

/** A user with the company's profile and whether it has cards, as the user's own profile shows them. */
export type ProfiledUser = User & { company: CompanyProfile | null; hasCards: boolean };
export type Attempt = { email: string; emailHash: Buffer; address: string };
/** `user` is null for an e-mail that nobody has; `isSuspect` when the e-mail or the address failed lately. */
export type AttemptFindings = { isSuspect: boolean; user: (ProfiledUser & { passwordHash: string }) | null };

/** All that a login has to know before it spends a hash: one statement, the same for e-mails that nobody has. */
export async function findUserOfAttempt(db: Queryable, attempt: Attempt): Promise<AttemptFindings> {
  const { email, emailHash, address } = attempt;
  const [{ isSuspect, ...user }] = await db<[{ isSuspect: boolean } & ProfiledUser & { passwordHash: string }]>`
    SELECT failed.lately AS "isSuspect", users.id, company_id AS "companyId", role, first_name AS "firstName",
           last_name AS "lastName", users.email, users.phone, country, city, avatar, language, users.timezone,
           default_app AS "defaultApp", password_hash AS "passwordHash",
           CASE WHEN companies.id IS NOT NULL THEN json_build_object(
             'id', companies.id, 'name', companies.name, 'phone', companies.phone, 'address', companies.address,
             'describe', companies.describe, 'email', companies.email) END AS company,
           EXISTS (SELECT 1 FROM cards WHERE cards.company_id = users.company_id AND deleted_at IS NULL) AS "hasCards"
    FROM (SELECT EXISTS (SELECT 1 FROM login_failures WHERE email_hash = ${emailHash})
              OR EXISTS (SELECT 1 FROM login_failures WHERE login_failures.address = ${address}) AS lately) failed
      LEFT JOIN users ON email_key = ${emailKey(email)} AND disabled_at IS NULL
      LEFT JOIN companies ON companies.id = users.company_id`;
  return { isSuspect, user: user.id === null ? null : user };
}

export type Session = { sessionId: string; userId: string; role: RoleName; companyId: string | null };

/** Writes down a session; it lives as long as its token. */
export async function insertSession(
  db: Queryable,
  userId: string,
  sessionId: string,
  lifetimeSeconds: number,
): Promise<void> {
  await db`
    INSERT INTO sessions (id, user_id, expires_at)
    VALUES (${sessionId}, ${userId}, now() + make_interval(secs => ${lifetimeSeconds}))`;
}

/** A session that is neither revoked nor expired, of a user who is not disabled; else null. */
export async function findSession(db: Queryable, sessionId: string): Promise<Session | null> {
  const [row] = await db<Session[]>`
    SELECT sessions.id AS "sessionId", users.id AS "userId", users.role, users.company_id AS "companyId"
    FROM sessions JOIN users ON users.id = sessions.user_id
    WHERE sessions.id = ${sessionId} AND sessions.revoked_at IS NULL AND sessions.expires_at > now()
      AND users.disabled_at IS NULL`;
  return row ?? null;
}

/** Ends a session: its token is refused from now on. */
export async function revokeSession(db: Queryable, sessionId: string): Promise<void> {
  await db`UPDATE sessions SET revoked_at = now() WHERE id = ${sessionId} AND revoked_at IS NULL`;
}

const WINDOW_MINUTES = 15;

/** How many failures within 15 minutes lock an e-mail at an address, an address, and an e-mail. */
export type FailureLimits = { ofBoth: number; ofAddress: number; ofEmail: number };

/**
 * Seconds until the e-mail may be tried from the address again: until the oldest of the failures that make the lock leaves
 * the window. Null when nothing is locked.
 */
export async function findLockSeconds(
  db: Queryable,
  emailHash: Buffer,
  address: string,
  limits: FailureLimits,
): Promise<number | null> {
  const [row] = await db<{ seconds: number | null }[]>`
    WITH recent AS (
      SELECT email_hash, address, failed_at FROM login_failures
      WHERE email_hash = ${emailHash} AND failed_at > now() - make_interval(mins => ${WINDOW_MINUTES})
      UNION ALL
      SELECT email_hash, address, failed_at FROM login_failures
      WHERE address = ${address} AND email_hash <> ${emailHash} AND failed_at > now() - make_interval(mins => ${WINDOW_MINUTES})
    ), newest_first AS (
      SELECT array_agg(failed_at ORDER BY failed_at DESC)
               FILTER (WHERE email_hash = ${emailHash} AND address = ${address}) AS of_both,
             array_agg(failed_at ORDER BY failed_at DESC) FILTER (WHERE address = ${address}) AS of_address,
             array_agg(failed_at ORDER BY failed_at DESC) FILTER (WHERE email_hash = ${emailHash}) AS of_email
      FROM recent
    ), locking AS (
      SELECT greatest(of_both[${limits.ofBoth}::int], of_address[${limits.ofAddress}::int], of_email[${limits.ofEmail}::int])
               AS failed_at
      FROM newest_first
    )
    SELECT ceil(extract(epoch FROM failed_at + make_interval(mins => ${WINDOW_MINUTES}) - now()))::int AS seconds FROM locking`;
  return row?.seconds ?? null;
}

/** Writes a failed login down. */
export async function insertLoginFailure(db: Queryable, emailHash: Buffer, address: string): Promise<void> {
  await db`INSERT INTO login_failures (email_hash, address) VALUES (${emailHash}, ${address})`;
}

/** Removes failures out of the window and sessions that ended a while ago, up to `limit` of each. @returns how many there were */
export async function deleteExpiredAccess(db: Db, limit: number): Promise<number> {
  const failures = await db`
    DELETE FROM login_failures WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM login_failures WHERE failed_at < now() - make_interval(mins => ${WINDOW_MINUTES}) LIMIT ${limit}))`;
  const sessions = await db`
    DELETE FROM sessions WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM sessions WHERE expires_at < now() - interval '7 days' LIMIT ${limit}))`;
  return failures.count + sessions.count;
}
