/** PayPal's request ids and locks (https://developer.paypal.com/api/rest/reference/idempotency/). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../gateway-faults.ts';
import { PayPalError } from './paypal-server.objects.ts';

/** How long PayPal is at work on an object, which nobody else can have meanwhile. */
const WORK_MS = 2;
const KEPT_MS = 6 * 3_600_000;
const LONGEST_REQUEST_ID = 108;

export type KeyedRequest = {
  /** `PayPal-Request-Id`; empty: none was sent. */
  requestId: string;
  /** The kind of request: an id of one kind means nothing to another. */
  kind: string;
  /** The object that is changed, which one request has at a time. */
  lock: string | null;
  perform: () => Work;
  /** Called in the same turn as the work and the keeping of its answer. */
  noteChanges: (key: string | null, work: Work) => void;
  /** The work is done, but a server error is what is kept. */
  remembersServerError: boolean;
};
/** The answer itself, or the order that is shown, as it is then: a repeat is answered with what has become of it since. */
export type Work = Answer | { status: number; orderId: string; isFull: boolean };
type KeptWork = { work: Work; untilMs: number };
export type RequestIds = {
  kept: Map<string, KeptWork>;
  answerOnce: (request: KeyedRequest) => Promise<Answer>;
  forget: () => void;
};

/**
 * Once per request id and kind. A repeat answers with what the first request made, as it is now, whatever else the repeat says; one at
 * the same time is sent away.
 */
export function createRequestIds(answerWith: (work: Work) => Answer): RequestIds {
  const kept = new Map<string, KeptWork>();
  const busy = new Set<string>();

  return {
    kept,
    forget: () => kept.clear(),
    async answerOnce({ requestId, kind, lock, perform, noteChanges, remembersServerError }) {
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
        const answer = remembersServerError ? SERVER_ERROR : work;
        if (key !== null && isKept) kept.set(key, { work: answer, untilMs: Date.now() + KEPT_MS });
        noteChanges(key, work);
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
