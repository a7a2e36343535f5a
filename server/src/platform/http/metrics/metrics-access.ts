import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import { readWithTimeout } from './metrics.ts';

/** Admits whoever may scrape. @throws ApiError unauthenticated, service_unavailable */
export type AdmitScrape = (credential: string | null) => Promise<void>;

/**
 * The metrics require `METRICS_TOKEN` or the operator key. An operator key that was valid last time is accepted while
 * the database, which has its hash, is unavailable: that is when the metrics matter most.
 */
export function createScrapeAccess(
  token: string | undefined,
  isOperatorKey: (credential: string) => Promise<boolean>,
): AdmitScrape {
  const isToken = createSecretMatcher(token);
  let isLastKey = createSecretMatcher(undefined);
  return async (credential) => {
    if (credential === null) return refuse();
    if (isToken(credential)) return;
    const isKey = await readWithTimeout(() => isOperatorKey(credential), null);
    if (isKey === false) return refuse();
    if (isKey) isLastKey = createSecretMatcher(credential);
    else if (!isLastKey(credential)) {
      throw new ApiError('service_unavailable', 'The database does not answer.', { retryAfterSeconds: 2 });
    }
  };
}

function refuse(): never {
  throw new ApiError('unauthenticated', 'Send METRICS_TOKEN or the operator key: Authorization: Bearer <token>.');
}

/** Compares in constant time; false when no secret is configured. */
export function createSecretMatcher(secret: string | undefined): (credential: string) => boolean {
  const expected = secret === undefined ? null : hash(secret);
  return (credential) => expected !== null && timingSafeEqual(hash(credential), expected);
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
