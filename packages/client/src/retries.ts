import { isPaydeskError, type PaydeskConnectionError, type PaydeskError } from './errors.ts';
import type { Operation } from './types.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
const TRANSIENT_STATUSES: readonly number[] = [502, 503, 504];

/**
 * How long to wait before the next try, in milliseconds; null when there is none to be made. What reads, and what has an idempotency
 * key, is tried again after whatever may pass. Anything else may have been done already, unless the service counted it as one
 * too many: 429 is answered before the work.
 * @param attempt - which try failed, from 1
 * @param random - from 0 to 1
 */
export function planRetry(
  operation: Operation,
  error: PaydeskError | PaydeskConnectionError,
  attempt: number,
  random: () => number,
): number | null {
  if (!isTransient(error)) return null;
  const isRepeatable = operation.method === 'GET' || operation.takesKey === true;
  const isRefusedUnseen = isPaydeskError(error) && error.status === 429;
  if (!isRepeatable && !isRefusedUnseen) return null;
  const spreadMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * random();
  const askedSeconds = isPaydeskError(error) ? error.retryAfterSeconds : null;
  // Not all of those who were asked to wait are to come back at once.
  return askedSeconds === null ? spreadMs : askedSeconds * 1_000 + Math.min(spreadMs, FIRST_DELAY_MS);
}

function isTransient(error: PaydeskError | PaydeskConnectionError): boolean {
  if (!isPaydeskError(error)) return true;
  return error.status === 429 || TRANSIENT_STATUSES.includes(error.status) || error.code === 'idempotency_key_in_use';
}

/** `Retry-After` in seconds: a number of them or an HTTP date; null without one that can be read. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}

/** Waits, unless the signal ends it. @throws the signal's reason */
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
