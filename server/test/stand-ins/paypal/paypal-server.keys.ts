/** PayPal's request ids and locks (https://developer.paypal.com/api/rest/reference/idempotency/). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../gateway-faults.ts';
import { PayPalError } from './paypal-server.objects.ts';

/** How long PayPal works on an object, which is locked meanwhile. */
const WORK_MS = 2;
const KEPT_MS = 6 * 3_600_000;
const LONGEST_REQUEST_ID = 108;

export type KeyedRequest = {
  /** `PayPal-Request-Id`; empty if none was sent. */
  requestId: string;
  /** The kind of request. The same id may be used again for another kind. */
  kind: string;
  /** The object that is changed. Only one request at a time can lock it. */
  lock: string | null;
  perform: () => Work;
  /** Called without a pause between the work and the storing of its answer. */
  recordChanges: (key: string | null, work: Work) => void;
  /** The work is done, but the stored answer is a server error. */
  storesServerError: boolean;
};
/** The answer itself, or an order. A repeat is answered with the current state of the order. */
export type Work = Answer | { status: number; orderId: string; isFull: boolean };
type KeptWork = { work: Work; untilMs: number };
export type RequestIds = {
  kept: Map<string, KeptWork>;
  answerOnce: (request: KeyedRequest) => Promise<Answer>;
  forget: () => void;
};

/**
 * Executes each request once per request id and kind. A repeat is answered with the current state of what the first request created, even
 * if its parameters differ. A simultaneous one is refused.
 */
export function createRequestIds(answerWith: (work: Work) => Answer): RequestIds {
  const kept = new Map<string, KeptWork>();
  const busy = new Set<string>();

  return {
    kept,
    forget: () => kept.clear(),
    async answerOnce({ requestId, kind, lock, perform, recordChanges, storesServerError }) {
      if (requestId.length > LONGEST_REQUEST_ID) return TOO_LONG;
      const key = requestId === '' ? null : `${kind} ${requestId}`;
      const known = key === null ? undefined : kept.get(key);
      if (known !== undefined && known.untilMs > Date.now()) return answerWith(known.work);
      const held = [key, lock].filter((name) => name !== null);
      if (held.some((name) => busy.has(name))) return BUSY;
      for (const name of held) busy.add(name);
      try {
        if (held.length > 0) await sleep(WORK_MS);
        const { work, isKept } = attempt(perform);
        const answer = storesServerError ? SERVER_ERROR : work;
        if (key !== null && isKept) kept.set(key, { work: answer, untilMs: Date.now() + KEPT_MS });
        recordChanges(key, work);
        return answerWith(answer);
      } finally {
        for (const name of held) busy.delete(name);
      }
    },
  };
}

const BUSY = new PayPalError(409, 'RESOURCE_CONFLICT', ['PREVIOUS_REQUEST_IN_PROGRESS']).answer;
const TOO_LONG = new PayPalError(400, 'INVALID_REQUEST', ['INVALID_STRING_MAX_LENGTH']).answer;
const SERVER_ERROR = new PayPalError(500, 'INTERNAL_SERVER_ERROR').answer;

function attempt(perform: () => Work): { work: Work; isKept: boolean } {
  try {
    return { work: perform(), isKept: true };
  } catch (error) {
    if (!(error instanceof PayPalError)) throw error;
    const { answer, isKept } = error;
    return { work: answer, isKept };
  }
}
