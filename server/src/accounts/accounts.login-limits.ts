import { createHash } from 'node:crypto';
import type { Queryable } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { type Attempt, emailKey, findLockSeconds, insertLoginFailure } from './accounts.queries.ts';

/** Failures in 15 minutes before even the right password is refused. Successes never count. */
const LIMITS = { ofBoth: 10, ofAddress: 100, ofEmail: 100 };

/** A try to log in, as failures are counted: the e-mail without regard to its case, and only as a hash. */
export function describeAttempt(email: string, address: string): Attempt {
  return { email, emailHash: createHash('sha256').update(emailKey(email)).digest(), address };
}

/** @throws ApiError rate_limited when this e-mail, this address or the two together failed too often. */
export async function refuseGuessing(db: Queryable, { emailHash, address }: Attempt): Promise<void> {
  const retryAfterSeconds = await findLockSeconds(db, emailHash, address, LIMITS);
  if (retryAfterSeconds === null) return;
  throw new ApiError('rate_limited', 'Too many failed logins. Try again later.', { retryAfterSeconds });
}

/** Counts a failed login against the e-mail and the client's address. */
export async function recordLoginFailure(db: Queryable, { emailHash, address }: Attempt): Promise<void> {
  await insertLoginFailure(db, emailHash, address);
}
