import type { Queryable } from '../../platform/database/database.ts';
import { profileColumns } from '../users/users.parts.queries.ts';
import { emailKey, type ProfiledUser } from '../users/users.public.queries.ts';
import { type Attempt, isKnownNetwork, isSuspect, secondsOverLimit } from './guard.public.queries.ts';

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
           ${profileColumns(db)}, users.password_hash AS "passwordHash"
    FROM (SELECT ${isSuspect(db, attempt)} AS lately) failed
      LEFT JOIN users ON email_key = ${emailKey(attempt.email)} AND disabled_at IS NULL
      LEFT JOIN companies ON companies.id = users.company_id`;
  const { isSuspect: suspect, isKnown, secondsOverLimit: seconds, ...user } = row;
  return { isSuspect: suspect, isKnown, secondsOverLimit: seconds, user: user.id === null ? null : user };
}
