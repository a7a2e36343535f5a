/** Stripe's idempotency keys and locks (https://docs.stripe.com/api/idempotent_requests). */
import { setTimeout as sleep } from 'node:timers/promises';
import { refusal } from './stripe-server.faults.ts';
import { StripeError } from './stripe-server.objects.ts';

/** How long Stripe is at work on an object, which nobody else can have meanwhile. */
const WORK_MS = 2;
/** Afterwards a key may be pruned. */
const KEPT_MS = 24 * 3_600_000;
const LONGEST_KEY = 255;

type Answer = { status: number; body: object };
export type KeyedRequest = {
  /** Empty: none was sent. */
  key: string;
  /** Method, path and parameters. */
  request: string;
  /** The object that is changed, which one request has at a time. */
  lock: string | null;
  perform: () => object;
  /** Called in the same turn as the work and the keeping of its answer. */
  noteChanges: (answer: object) => void;
  /** The work is done, but a server error is what is kept. */
  remembersServerError: boolean;
};
type KeptAnswer = Answer & { request: string; untilMs: number };
export type IdempotencyKeys = {
  kept: Map<string, KeptAnswer>;
  answerOnce: (request: KeyedRequest) => Promise<Answer>;
  forget: () => void;
};

/** Once per key: the same request gets the same answer, another one is refused, and one at the same time is sent away. */
export function createIdempotencyKeys(): IdempotencyKeys {
  const kept = new Map<string, KeptAnswer>();
  const busy = new Set<string>();

  return {
    kept,
    forget: () => kept.clear(),
    async answerOnce({ key, request, lock, perform, noteChanges, remembersServerError }) {
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
        const answer = remembersServerError ? refusal(500, 'api_error') : outcome;
        if (key !== '' && isKept) kept.set(key, { request, ...answer, untilMs: Date.now() + KEPT_MS });
        noteChanges(outcome.body);
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
