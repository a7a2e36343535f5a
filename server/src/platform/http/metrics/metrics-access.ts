import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import { readInTime } from './metrics.ts';

/** Lets whoever may scrape pass. @throws ApiError unauthenticated, service_unavailable */
export type AdmitScrape = (credential: string | null) => Promise<void>;

/**
 * The metrics are for whoever has `METRICS_TOKEN` or the operator's key. A key that was good last time is good while the database,
 * which has its hash, is away or silent: that is when the metrics are wanted most.
 */
export function createScrapeAccess(
  token: string | undefined,
  isOperatorKey: (credential: string) => Promise<boolean>,
): AdmitScrape {
  const isToken = matcherOf(token);
  let isLastKey = matcherOf(undefined);
  return async (credential) => {
    if (credential === null) return refuse();
    if (isToken(credential)) return;
    const isKey = await readInTime(() => isOperatorKey(credential), null);
    if (isKey === false) return refuse();
    if (isKey) isLastKey = matcherOf(credential);
    else if (!isLastKey(credential)) {
      throw new ApiError('service_unavailable', 'The database does not answer.', { retryAfterSeconds: 2 });
    }
  };
}

function refuse(): never {
  throw new ApiError('unauthenticated', 'Send METRICS_TOKEN or the operator key: Authorization: Bearer <token>.');
}

/** Compares in a time that tells nothing about the secret; matches nothing without one. */
export function matcherOf(secret: string | undefined): (credential: string) => boolean {
  const expected = secret === undefined ? null : hash(secret);
  return (credential) => expected !== null && timingSafeEqual(hash(credential), expected);
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
