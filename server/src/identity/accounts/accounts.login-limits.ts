import { createHash } from 'node:crypto';
import type { Queryable } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { Client } from './accounts.client.ts';
import { type Attempt, findLockSeconds, insertLoginFailure, noteLocks } from './accounts.guard.queries.ts';
import { emailKey } from './accounts.queries.ts';

/** Failures in 15 minutes before even the right password is refused. Successes never count. */
const LIMITS = { ofBoth: 10, ofAddress: 100, ofEmail: 100 };

/** A try to log in, as failures are counted: the e-mail without regard to its case, and only as a hash. */
export function describeAttempt(keyring: Keyring, email: string, { network, device }: Client): Attempt {
  const emailHash = createHash('sha256').update(emailKey(email)).digest();
  return { email, emailHash, network, networkHash: hashNetwork(keyring, network), device };
}

/** As which an account is known from a network, for longer than addresses are to be kept. */
export function hashNetwork(keyring: Keyring, network: string): Buffer {
  return keyring.hashRequest(`network ${network}`);
}

/**
 * @throws ApiError rate_limited when this e-mail, this address or the two together failed too often. What strangers do to an e-mail locks
 * strangers alone, not a network or device that it has logged in from.
 */
export async function refuseGuessing(db: Queryable, attempt: Attempt, isKnown: boolean): Promise<void> {
  const retryAfterSeconds = await findLockSeconds(db, attempt, isKnown, LIMITS);
  if (retryAfterSeconds === null) return;
  throw new ApiError('rate_limited', 'Too many failed logins. Try again later.', { retryAfterSeconds });
}

/** Counts a failed login against the e-mail and the client's address; `isSuspect` when others failed lately. */
export async function recordLoginFailure(
  db: Queryable,
  attempt: Attempt,
  { isKnown, isSuspect }: { isKnown: boolean; isSuspect: boolean },
): Promise<void> {
  await insertLoginFailure(db, attempt, isKnown);
  if (isSuspect) await noteLocks(db, attempt, LIMITS);
}
