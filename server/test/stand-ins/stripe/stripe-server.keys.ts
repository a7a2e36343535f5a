/** Stripe's idempotency keys and locks (https://docs.stripe.com/api/idempotent_requests). */
import { setTimeout as sleep } from 'node:timers/promises';
import { refusal } from './stripe-server.faults.ts';
import { StripeError } from './stripe-server.objects.ts';

/** How long Stripe works on an object, which is locked meanwhile. */
const WORK_MS = 2;
/** After this time Stripe may delete a key. */
const KEPT_MS = 24 * 3_600_000;
const LONGEST_KEY = 255;

type Answer = { status: number; body: object };
export type KeyedRequest = {
  /** Empty if none was sent. */
  key: string;
  /** Method, path and parameters. */
  request: string;
  /** The object that is changed. Only one request at a time can lock it. */
  lock: string | null;
  perform: () => object;
  /** Called without a pause between the work and the storing of its answer. */
  recordChanges: (answer: object) => void;
  /** The work is done, but the stored answer is a server error. */
  storesServerError: boolean;
};
type KeptAnswer = Answer & { request: string; untilMs: number };
export type IdempotencyKeys = {
  kept: Map<string, KeptAnswer>;
  answerOnce: (request: KeyedRequest) => Promise<Answer>;
  forget: () => void;
};

/** Executes each request once per key. The same request gets the same answer again; a different or a simultaneous one is refused. */
export function createIdempotencyKeys(): IdempotencyKeys {
  const kept = new Map<string, KeptAnswer>();
  const busy = new Set<string>();

  return {
    kept,
    forget: () => kept.clear(),
    async answerOnce({ key, request, lock, perform, recordChanges, storesServerError }) {
      if (key.length > LONGEST_KEY) return refusal(400, 'invalid_request_error');
      const known = kept.get(key);
      if (known !== undefined && known.untilMs > Date.now())
        return known.request === request ? known : refusal(400, 'idempotency_error');
      const keyName = key === '' ? null : `key ${key}`;
      if (keyName !== null && busy.has(keyName)) return refusal(409, 'idempotency_error', 'idempotency_key_in_use');
      if (lock !== null && busy.has(lock)) return refusal(429, 'invalid_request_error', 'lock_timeout');
      const held = [keyName, lock].filter((name) => name !== null);
      for (const name of held) busy.add(name);
      try {
        if (held.length > 0) await sleep(WORK_MS);
        const { isKept, ...outcome } = attempt(perform);
        const answer = storesServerError ? refusal(500, 'api_error') : outcome;
        if (key !== '' && isKept) kept.set(key, { request, ...answer, untilMs: Date.now() + KEPT_MS });
        recordChanges(outcome.body);
        return answer;
      } finally {
        for (const name of held) busy.delete(name);
      }
    },
  };
}

function attempt(perform: () => object): Answer & { isKept: boolean } {
  try {
    return { status: 200, body: perform(), isKept: true };
  } catch (error) {
    if (error instanceof StripeError) return { status: error.status, body: error.body, isKept: error.isKept };
    throw error;
  }
}
