import type { Queryable, Tx } from '../../platform/database/database.ts';
import { profileColumns } from '../users/users.parts.queries.ts';
import { emailKey, type ProfiledUser, type User } from '../users/users.public.queries.ts';
import { lockedUser } from './attempts.parts.queries.ts';
import { type Attempt, hasRecentFailure, isKnownNetwork, secondsOverLimit } from './guard.public.queries.ts';

/** What is known about an attempt before its password is checked. */
export type AttemptFindings = {
  /** Null for an unknown e-mail. */
  user: (ProfiledUser & { passwordHash: string | null }) | null;
  /** Whether the e-mail or the address has a recent failure or a lock. */
  hasRecentFailure: boolean;
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
  const [row] = await db<[Omit<AttemptFindings, 'user'> & ProfiledUser & { passwordHash: string | null }]>`
    SELECT failed.lately AS "hasRecentFailure", ${isKnownNetwork(db, attempt)} AS "isKnown",
           ${secondsOverLimit(db, 'login', attempt.network, loginsPerHour)} AS "secondsOverLimit",
           ${profileColumns(db)}, users.password_hash AS "passwordHash"
    FROM (SELECT ${hasRecentFailure(db, attempt)} AS lately) failed
      LEFT JOIN users ON email_key = ${emailKey(attempt.email)} AND disabled_at IS NULL
      LEFT JOIN companies ON companies.id = users.company_id`;
  const { hasRecentFailure: suspect, isKnown, secondsOverLimit: seconds, ...user } = row;
  return { hasRecentFailure: suspect, isKnown, secondsOverLimit: seconds, user: user.id === null ? null : user };
}

type FailureFindings = Pick<AttemptFindings, 'hasRecentFailure' | 'isKnown'> & { credentialEpoch: number | null };

/** Whether there were recent failures of the attempt's e-mail or address, and whether this user has logged in from its network. */
export async function findFailuresOfAttempt(db: Queryable, attempt: Attempt, userId: string): Promise<FailureFindings> {
  const [row] = await db<[FailureFindings]>`
    SELECT ${hasRecentFailure(db, attempt)} AS "hasRecentFailure", ${isKnownNetwork(db, attempt)} AS "isKnown",
           (SELECT credential_epoch FROM users AS found WHERE found.id = users.id) AS "credentialEpoch"
    FROM (SELECT ${userId}::uuid AS id) users`;
  return row;
}

/** A user who has shown again who they are. */
export type ConfirmedUser = Pick<User, 'id' | 'companyId' | 'firstName' | 'lastName' | 'email' | 'language'> & {
  /** Null for a user who only logs in through others. */
  passwordHash: string | null;
};

/** For how long after it a login counts as showing who one is. */
const RECENT_LOGIN_MINUTES = 10;

/** The user of a request, and whether the session began within the last ten minutes. Null when the account was closed since. */
export async function findCaller(
  db: Queryable,
  userId: string,
  sessionId: string,
): Promise<(ConfirmedUser & { isRecentLogin: boolean }) | null> {
  const [row] = await db<(ConfirmedUser & { isRecentLogin: boolean })[]>`
    SELECT users.id, company_id AS "companyId", first_name AS "firstName", last_name AS "lastName", email, language,
           password_hash AS "passwordHash",
           EXISTS (SELECT 1 FROM sessions WHERE sessions.id = ${sessionId} AND sessions.user_id = users.id
             AND sessions.created_at > now() - make_interval(mins => ${RECENT_LOGIN_MINUTES})) AS "isRecentLogin"
    FROM users WHERE users.id = ${userId} AND disabled_at IS NULL`;
  return row ?? null;
}

/**
 * Locks the row of a user whose password was checked, so that a change of the password either sees what this transaction begins, and ends
 * it, or comes first. @returns false when the password was changed, or the account closed, since it was checked
 */
export async function lockCheckedUser(tx: Tx, user: { id: string; passwordHash: string | null }): Promise<boolean> {
  const rows = await tx`${lockedUser(tx, user)}`;
  return rows.length === 1;
}
