import type { FastifyRequest } from 'fastify';
import { type Db, databaseErrorCode, type Tx, transaction } from '../../database/database.ts';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { holdsCardNumber } from '../../logging/card-numbers.ts';
import { OPERATOR_SCOPE } from '../../operator-scope.ts';
import { errorBody } from './errors.ts';
import {
  claimKey,
  findAnswer,
  type IdempotencyScope,
  releaseKey,
  removeRefusal,
  renewKey,
  storeAnswer,
} from './idempotency.queries.ts';

/**
 * A running request locks its key for this long and renews the lock, so that a repeat soon takes over after a crash. A
 * process that only stalled finds its key taken: the work is safe to repeat.
 */
const LEASE_SECONDS = 4;
const RENEWAL_INTERVAL_MS = 1_000;
/** Accepted without an outcome: a repeat may have one. */
const NOT_DECIDED_YET = 202;

/**
 * Refusals that are results of the work, kept like successes. All others are temporary (a running payment, one under
 * review, too many requests, an outage) or came before the work began: the same key may be tried again.
 */
const STORED_REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'card_declined',
  'payment_method_required',
  'not_found',
  'label_name_taken',
  'limit_reached',
]);

/** An answer as text, ready to be sent and kept. */
export type Answer = { status: number; body: string };
export type ReplayedAnswer = Answer & { replayed: boolean };

/** A request with an idempotency key, and the answer that it got. */
export type AnsweredRequest = {
  /** Whose key it is: the nil UUID is the operator's. */
  companyId: string;
  method: string;
  path: string;
  key: string;
  /** In base64. */
  requestHash: string;
  status: number;
  body: string;
};

const answered = new WeakMap<Tx, AnsweredRequest>();

/** Says which request the transaction is for, and its answer. */
export function nameRequest(tx: Tx, request: AnsweredRequest): void {
  answered.set(tx, request);
}

/** The request that the transaction is for, if it has an idempotency key. */
export function answeredRequestOf(tx: Tx): AnsweredRequest | undefined {
  return answered.get(tx);
}

type Once = {
  db: Db;
  request: FastifyRequest;
  companyId: string | null;
  key: string;
  hashRequest: (text: string) => Buffer;
  /** Encrypts the kept answer of a create; null where it has no secret. */
  vault: Vault | null;
  /** Fields of the answer that are not kept. */
  shownOnce: readonly string[];
  /** Waits until what the first request did may be told again; null where it did nothing that has to wait. */
  beforeReplay: (() => Promise<void>) | null;
};

/** `context` is bound to the encryption: the text can't be decrypted for another row. */
export type Vault = {
  seal: (text: string, context: string) => Buffer;
  unseal: (sealed: Uint8Array, context: string) => string;
};

/**
 * The request's `Idempotency-Key`, or undefined. A key that looks like a card number works as any other, but is stored
 * as a hash. @throws ApiError 400 when it is empty or longer than 255 characters
 */
export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x20-\x7e]{1,255}$/.test(header)) {
    return holdsCardNumber(header) ? request.server.http.hashRequest(header).toString('base64url') : header;
  }
  throw new ApiError('invalid_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters.', {
    details: [{ field: 'Idempotency-Key', message: 'must have 1 to 255 printable ASCII characters' }],
  });
}

/**
 * Runs a create once per key: the work and the kept answer commit together, so a crash leaves both or neither. A
 * parallel repeat waits briefly for the first.
 */
export async function createOnce<P>(
  once: Once,
  { prepare, work }: { prepare: () => Promise<P>; work: (tx: Tx, prepared: P) => Promise<Answer> },
): Promise<ReplayedAnswer> {
  const scope = scopeOf(once);
  const companyId = once.companyId ?? OPERATOR_SCOPE;
  const kept = await findKept(once, companyId, scope);
  if (kept !== null) return kept;
  try {
    const prepared = await prepare();
    return await transaction(once.db, async (tx) => {
      if (!(await claimKey(tx, companyId, scope, LEASE_SECONDS))) throw new KeyTaken();
      const answer = await work(tx, prepared);
      const kept = { ...answer, body: lock(once, scope, withoutShownOnce(once, answer.body)) };
      nameRequest(tx, { ...scope, companyId, requestHash: scope.requestHash.toString('base64'), ...kept });
      await storeAnswer(tx, companyId, scope, kept);
      return { ...answer, replayed: false };
    });
  } catch (error) {
    if (error instanceof KeyTaken) return (await findKept(once, companyId, scope)) ?? keyInUse();
    if (databaseErrorCode(error) === '55P03') return keyInUse();
    await storeRefusal(once, companyId, scope, error);
    throw error;
  }
}

/**
 * Runs a request of several transactions (a charge) once per key: the key is inserted before and the answer stored
 * after. If the process dies in between, a repeat runs the work again, so it must be safe to repeat.
 */
export async function runOnce(once: Once, work: () => Promise<Answer>): Promise<ReplayedAnswer> {
  const scope = scopeOf(once);
  const companyId = once.companyId ?? OPERATOR_SCOPE;
  if (!(await claimKey(once.db, companyId, scope, LEASE_SECONDS))) {
    return (await findKept(once, companyId, scope)) ?? keyInUse();
  }
  const stopRenewing = keepRenewing(() => renewKey(once.db, companyId, scope, LEASE_SECONDS));
  try {
    const answer = await work();
    if (answer.status !== NOT_DECIDED_YET) await storeAnswer(once.db, companyId, scope, answer);
    else await releaseKey(once.db, companyId, scope);
    return { ...answer, replayed: false };
  } catch (error) {
    await storeRefusal(once, companyId, scope, error);
    await releaseKey(once.db, companyId, scope);
    throw error;
  } finally {
    stopRenewing();
  }
}

class KeyTaken extends Error {}

/**
 * Does the work of a request that the database has lost once more, in a transaction, unless the database has got the same request again and
 * answered it with a success. One that is sent at the same time waits for the transaction, or is waited for.
 * @param isDone - whether the work has come back; then the same request gets the answer that it got
 * @returns null when the request was sent again
 */
export async function doAgain<T>(
  tx: Tx,
  { companyId, requestHash, ...request }: AnsweredRequest,
  work: () => Promise<T>,
  isDone: (result: T) => boolean,
): Promise<T | null> {
  const scope = { ...request, requestHash: Buffer.from(requestHash, 'base64') };
  const isClaimed = await claimKey(tx, companyId, scope, LEASE_SECONDS);
  const kept = isClaimed ? null : await findAnswer(tx, companyId, scope);
  if (kept !== null && kept.status !== null && kept.status < 400 && kept.body !== request.body) return null;
  const result = await work();
  if (isDone(result)) {
    // Without what the database has lost, the same request may have been refused.
    await removeRefusal(tx, companyId, scope);
    await storeAnswer(tx, companyId, scope, request);
  } else if (isClaimed) await releaseKey(tx, companyId, scope);
  return result;
}

/** One renewal at a time; a failed one is followed by the next. */
function keepRenewing(renew: () => Promise<void>): () => void {
  let isRenewing = false;
  const timer = setInterval(async () => {
    if (isRenewing) return;
    isRenewing = true;
    await renew().catch(() => undefined);
    isRenewing = false;
  }, RENEWAL_INTERVAL_MS);
  return () => clearInterval(timer);
}

function scopeOf({ request, key, hashRequest }: Once): IdempotencyScope {
  // Decoded, because a path has many encodings.
  const path = decodeURIComponent(request.url.split('?', 1)[0] ?? '');
  return { method: request.method, path, key, requestHash: hashRequest(JSON.stringify(request.body ?? null)) };
}

async function findKept(once: Once, companyId: string, scope: IdempotencyScope): Promise<ReplayedAnswer | null> {
  const kept = await findAnswer(once.db, companyId, scope);
  if (kept === null) return null;
  if (!kept.requestHash.equals(scope.requestHash)) {
    throw new ApiError('idempotency_key_reused', 'This idempotency key was already used with a different request.');
  }
  if (kept.status === null) return keyInUse();
  if (kept.status < 400) await once.beforeReplay?.();
  const body = kept.status < 400 ? unlock(once, scope, kept.body ?? '') : (kept.body ?? '');
  return { status: kept.status, body: replay(kept.status, body, once.request.id), replayed: true };
}

function withoutShownOnce({ shownOnce }: Once, body: string): string {
  if (shownOnce.length === 0) return body;
  const fields = Object.entries(JSON.parse(body)).filter(([name]) => !shownOnce.includes(name));
  return JSON.stringify(Object.fromEntries(fields));
}

function lock({ vault }: Once, scope: IdempotencyScope, body: string): string {
  return vault === null ? body : vault.seal(body, sealContextOf(scope)).toString('base64');
}

function unlock({ vault }: Once, scope: IdempotencyScope, body: string): string {
  return vault === null ? body : vault.unseal(Buffer.from(body, 'base64'), sealContextOf(scope));
}

function sealContextOf({ method, path, key }: IdempotencyScope): string {
  return `answer ${method} ${path} ${key}`;
}

/** The kept body; an error gets the new request's id, like the header. */
function replay(status: number, body: string, requestId: string): string {
  if (status < 400) return body;
  const { error, ...rest } = JSON.parse(body) as { error: object };
  return JSON.stringify({ error: { ...error, requestId }, ...rest });
}

async function storeRefusal(once: Once, companyId: string, scope: IdempotencyScope, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || !STORED_REFUSALS.has(error.code)) return;
  const body = JSON.stringify(errorBody(error, once.request.id, once.request.url));
  await storeAnswer(once.db, companyId, scope, { status: error.status, body });
}

function keyInUse(): never {
  throw new ApiError('idempotency_key_in_use', 'The first request with this idempotency key is still running.', {
    retryAfterSeconds: 1,
  });
}
