import { createHash } from 'node:crypto';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { emailKey } from '../users/users.public.queries.ts';
import type { Client } from './client.ts';
import {
  type Attempt,
  deleteFailuresOfEmail,
  findLockSeconds,
  insertLoginFailure,
  recordLocks,
} from './guard.public.queries.ts';

/** The number of failures in 15 minutes after which even the right password is refused. Successes never count. */
const LIMITS = { perEmailAndAddress: 10, perAddress: 100, perEmail: 100, perKnownDevices: 20 };

/** The attempt as failures are counted: the e-mail case-insensitively and hashed. */
export function describeAttempt(keyring: Keyring, email: string, { network, device }: Client): Attempt {
  return { email, emailHash: hashEmail(email), network, networkHash: hashNetwork(keyring, network), device };
}

/** The attempt, whose device is known only as long as the credentials of its user are the same; null for an unknown e-mail. */
export function recognizeDevice(attempt: Attempt, credentialEpoch: number | null): Attempt {
  return attempt.device?.epoch === credentialEpoch ? attempt : { ...attempt, device: null };
}

/** The keyed hash under which an account knows a network; addresses themselves are not kept that long. */
export function hashNetwork(keyring: Keyring, network: string): Buffer {
  return keyring.hashRequest(`network ${network}`);
}

/**
 * @throws ApiError rate_limited when the e-mail, the address or the two together failed too often. Failures of
 *   strangers lock strangers only, not a network or device from which the account has logged in.
 */
export async function refuseGuessing(db: Queryable, attempt: Attempt, isKnown: boolean): Promise<void> {
  const retryAfterSeconds = await findLockSeconds(db, attempt, isKnown, LIMITS);
  if (retryAfterSeconds === null) return;
  throw new ApiError('rate_limited', 'Too many failed logins. Try again later.', { retryAfterSeconds });
}

/**
 * Counts a failed login against the e-mail and the client's address. `hasRecentFailure` says that there were recent failures.
 */
export async function recordLoginFailure(
  db: Queryable,
  attempt: Attempt,
  { isKnown, hasRecentFailure }: { isKnown: boolean; hasRecentFailure: boolean },
): Promise<void> {
  await insertLoginFailure(db, attempt, isKnown);
  if (hasRecentFailure) await recordLocks(db, attempt, LIMITS);
}

/** Ends the limit on guesses for an e-mail, whose user has shown to be its owner. Limits of addresses stay. */
export async function endGuessingLimit(tx: Tx, email: string): Promise<void> {
  await deleteFailuresOfEmail(tx, hashEmail(email));
}

function hashEmail(email: string): Buffer {
  return createHash('sha256').update(emailKey(email)).digest();
}
