import { isPaydeskError, type PaydeskConnectionError, type PaydeskError } from './errors.ts';
import type { Operation } from './types.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
const TRANSIENT_STATUSES: readonly number[] = [502, 503, 504];

/**
 * Decides how many milliseconds to wait before the next attempt; null if there is none. Reads, and requests with an idempotency key, are
 * repeated after every error that may pass. Other requests may already have been carried out, so they are repeated only after a 429, which
 * is answered before any work. @param attempt - the number of the failed attempt, from 1 @param random - from 0 to 1
 */
export function planRetry(
  operation: Operation,
  error: PaydeskError | PaydeskConnectionError,
  attempt: number,
  random: () => number,
): number | null {
  if (!isTransient(error)) return null;
  const isRepeatable = operation.method === 'GET' || operation.takesKey === true || operation.isRepeatable === true;
  const isRefusedUnseen = isPaydeskError(error) && error.status === 429;
  if (!isRepeatable && !isRefusedUnseen) return null;
  const spreadMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * random();
  const askedSeconds = isPaydeskError(error) ? error.retryAfterSeconds : null;
  // Clients that were asked to wait should not all return at the same moment.
  return askedSeconds === null ? spreadMs : askedSeconds * 1_000 + Math.min(spreadMs, FIRST_DELAY_MS);
}

/** Whether the same request may succeed later. */
export function isTransient(error: PaydeskError | PaydeskConnectionError): boolean {
  if (!isPaydeskError(error)) return true;
  return error.status === 429 || TRANSIENT_STATUSES.includes(error.status) || error.code === 'idempotency_key_in_use';
}

/** Reads `Retry-After`, a number of seconds or an HTTP date, as seconds; null if it is missing or invalid. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}

/** Waits until the time is over or the signal aborts. @throws the signal's reason */
export function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, delayMs);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
