import type { CompanyProfile } from '../../customers/companies/companies.service.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { RoleName } from '../../platform/permissions.ts';
import { type Attempt, isKnownNetwork, isSuspect, secondsOverLimit } from './accounts.guard.public.queries.ts';

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

/** The key by which e-mails are compared, case-insensitively. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** Inserts a user. @throws PostgresError on the constraint `users_email_key` when the e-mail has an account */
export async function insertUser(db: Queryable, user: NewUser): Promise<void> {
  await db`
    INSERT INTO users (id, company_id, role, first_name, last_name, email, email_key, password_hash)
    VALUES (${user.id}, ${user.companyId}, ${user.role}, ${user.firstName}, ${user.lastName}, ${user.email},
            ${emailKey(user.email)}, ${user.passwordHash})`;
}

/** Whether an e-mail has an account; checked before a sign-up spends a hash on it. */
export async function isEmailTaken(db: Queryable, email: string): Promise<boolean> {
  const rows = await db`SELECT 1 FROM users WHERE email_key = ${emailKey(email)}`;
  return rows.length === 1;
}

/** A user with what the profile shows: the company, and whether it has cards. */
export type ProfiledUser = User & { company: CompanyProfile | null; hasCards: boolean };

/** What is known about an attempt before its password is checked. */
export type AttemptFindings = {
  /** Null for an unknown e-mail. */
  user: (ProfiledUser & { passwordHash: string }) | null;
  /** Whether the e-mail or the address has a recent failure or a lock. */
  isSuspect: boolean;
  /** Whether the user has logged in from this network before. */
  isKnown: boolean;
  /** Until the network may log in again; null while it may. */
  secondsOverLimit: number | null;
};

/** Reads all that a login needs before it spends a hash. It is one statement, the same for unknown e-mails. */
export async function findUserOfAttempt(
  db: Queryable,
  attempt: Attempt,
  loginsPerHour: number,
): Promise<AttemptFindings> {
  const [row] = await db<[Omit<AttemptFindings, 'user'> & ProfiledUser & { passwordHash: string }]>`
    SELECT failed.lately AS "isSuspect", ${isKnownNetwork(db, attempt)} AS "isKnown",
           ${secondsOverLimit(db, 'login', attempt.network, loginsPerHour)} AS "secondsOverLimit",
           users.id, company_id AS "companyId", role, first_name AS "firstName",
           last_name AS "lastName", users.email, users.phone, country, city, avatar, language, users.timezone,
           default_app AS "defaultApp", password_hash AS "passwordHash",
           CASE WHEN companies.id IS NOT NULL THEN json_build_object(
             'id', companies.id, 'name', companies.name, 'phone', companies.phone, 'address', companies.address,
             'describe', companies.describe, 'email', companies.email) END AS company,
           EXISTS (SELECT 1 FROM cards WHERE cards.company_id = users.company_id AND deleted_at IS NULL) AS "hasCards"
    FROM (SELECT ${isSuspect(db, attempt)} AS lately) failed
      LEFT JOIN users ON email_key = ${emailKey(attempt.email)} AND disabled_at IS NULL
      LEFT JOIN companies ON companies.id = users.company_id`;
  const { isSuspect: suspect, isKnown, secondsOverLimit: seconds, ...user } = row;
  return { isSuspect: suspect, isKnown, secondsOverLimit: seconds, user: user.id === null ? null : user };
}

export type Session = { sessionId: string; userId: string; role: RoleName; companyId: string | null };

/** The session if it is neither revoked nor expired and its user is not disabled, else null. */
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
