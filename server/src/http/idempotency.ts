import type { FastifyRequest } from 'fastify';
import { type Db, databaseErrorCode, type Tx, transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { errorBody } from './errors.ts';
import {
  claimKey,
  findAnswer,
  type IdempotencyScope,
  OPERATOR_SCOPE,
  releaseKey,
  storeAnswer,
} from './idempotency.queries.ts';

/** How long a request that holds a key may run before it is taken for dead. Longer than any gateway call. */
const LOCK_SECONDS = 60;

/** An answer as text, ready to be sent and kept. */
export type Answer = { status: number; body: string };
export type ReplayedAnswer = Answer & { replayed: boolean };

type Once = {
  db: Db;
  request: FastifyRequest;
  companyId: string | null;
  key: string;
  hashRequest: (text: string) => Buffer;
};

/** The request's `Idempotency-Key`, or undefined. @throws ApiError 400 when it is empty or longer than 255 characters. */
export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x20-\x7e]{1,255}$/.test(header)) return header;
  throw new ApiError('invalid_request', 'Idempotency-Key must have 1 to 255 visible ASCII characters.', {
    details: [{ field: 'Idempotency-Key', message: 'must have 1 to 255 visible ASCII characters' }],
  });
}

/**
 * Runs a create once for its key: the work and the answer that is kept commit together, so that a crash leaves both or
 * neither. A repeat that comes while the first one runs waits for it briefly.
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
      if (!(await claimKey(tx, companyId, scope, LOCK_SECONDS))) throw new KeyTaken();
      const answer = await work(tx, prepared);
      await storeAnswer(tx, companyId, scope, answer);
      return { ...answer, replayed: false };
    });
  } catch (error) {
    if (error instanceof KeyTaken) return (await findKept(once, companyId, scope)) ?? keyInUse();
    if (databaseErrorCode(error) === '55P03') return keyInUse();
    await keepRefusal(once, companyId, scope, error);
    throw error;
  }
}

/**
 * Runs a request that is more than one transaction (a charge) once for its key: the key is written down before and the
 * answer after. If the process dies between, the repeat runs the work again, which must therefore be safe to repeat.
 */
export async function runOnce(once: Once, work: () => Promise<Answer>): Promise<ReplayedAnswer> {
  const scope = scopeOf(once);
  const companyId = once.companyId ?? OPERATOR_SCOPE;
  if (!(await claimKey(once.db, companyId, scope, LOCK_SECONDS))) {
    return (await findKept(once, companyId, scope)) ?? keyInUse();
  }
  try {
    const answer = await work();
    if (answer.status === 200) await storeAnswer(once.db, companyId, scope, answer);
    else await releaseKey(once.db, companyId, scope);
    return { ...answer, replayed: false };
  } catch (error) {
    await keepRefusal(once, companyId, scope, error);
    await releaseKey(once.db, companyId, scope);
    throw error;
  }
}

class KeyTaken extends Error {}

function scopeOf({ request, key, hashRequest }: Once): IdempotencyScope {
  const path = request.url.split('?', 1)[0] ?? '';
  return { method: request.method, path, key, requestHash: hashRequest(JSON.stringify(request.body ?? null)) };
}

async function findKept(once: Once, companyId: string, scope: IdempotencyScope): Promise<ReplayedAnswer | null> {
  const kept = await findAnswer(once.db, companyId, scope);
  if (kept === null) return null;
  if (!kept.requestHash.equals(scope.requestHash)) {
    throw new ApiError('idempotency_key_reused', 'This idempotency key came with another request before.');
  }
  if (kept.status === null) return keyInUse();
  return { status: kept.status, body: kept.body ?? '', replayed: true };
}

/** A refusal that the work itself came to (402, 404, 409) is an answer too; faults and refusals before the work are not. */
async function keepRefusal(once: Once, companyId: string, scope: IdempotencyScope, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || ![402, 404, 409].includes(error.status) || error.retryAfterSeconds !== undefined)
    return;
  const body = JSON.stringify(errorBody(error, once.request.id, once.request.url));
  await storeAnswer(once.db, companyId, scope, { status: error.status, body });
}

function keyInUse(): never {
  throw new ApiError('idempotency_key_in_use', 'A request with this idempotency key is still running.', {
    retryAfterSeconds: 1,
  });
}
