import { CLOCK_TOLERANCE_SECONDS } from '../../calendar/clock.ts';
import type { Queryable } from '../../database/database.ts';

export type IdempotencyScope = { method: string; path: string; key: string; requestHash: Buffer };

export type StoredAnswer = { requestHash: Buffer; status: number | null; body: string | null };

/** How long an answer is kept. */
export const RETENTION_HOURS = 24;

/**
 * Inserts the key as running; false when it exists. A key is taken over when its process died (its lock has expired, or
 * is from before the database's clock was set back), or when it is a day old.
 */
export async function claimKey(
  db: Queryable,
  companyId: string,
  { method, path, key, requestHash }: IdempotencyScope,
  leaseSeconds: number,
): Promise<boolean> {
  const rows = await db`
    INSERT INTO idempotency_keys AS existing (company_id, method, path, key, request_hash, locked_until)
    VALUES (${companyId}, ${method}, ${path}, ${key}, ${requestHash}, now() + make_interval(secs => ${leaseSeconds}))
    ON CONFLICT (company_id, method, path, key) DO UPDATE
      SET request_hash = excluded.request_hash, locked_until = excluded.locked_until, created_at = now(), status = NULL, body = NULL
      WHERE existing.created_at < now() - make_interval(hours => ${RETENTION_HOURS})
         OR (existing.status IS NULL AND existing.request_hash = excluded.request_hash
             AND existing.locked_until NOT BETWEEN now() AND now() + make_interval(secs => ${leaseSeconds + CLOCK_TOLERANCE_SECONDS}))
    RETURNING 1`;
  return rows.length === 1;
}

/** Extends the lock of a running request's key to this long from now. */
export async function renewKey(
  db: Queryable,
  companyId: string,
  { method, path, key, requestHash }: IdempotencyScope,
  leaseSeconds: number,
): Promise<void> {
  await db`
    UPDATE idempotency_keys SET locked_until = now() + make_interval(secs => ${leaseSeconds})
    WHERE company_id = ${companyId} AND method = ${method} AND path = ${path} AND key = ${key}
      AND request_hash = ${requestHash} AND status IS NULL`;
}

/** The answer kept for a key, or null. */
export async function findAnswer(
  db: Queryable,
  companyId: string,
  { method, path, key }: Pick<IdempotencyScope, 'method' | 'path' | 'key'>,
): Promise<StoredAnswer | null> {
  const [row] = await db<StoredAnswer[]>`
    SELECT request_hash AS "requestHash", status, body
    FROM idempotency_keys
    WHERE company_id = ${companyId} AND method = ${method} AND path = ${path} AND key = ${key}
      AND created_at >= now() - make_interval(hours => ${RETENTION_HOURS})`;
  return row ?? null;
}

/** Keeps the answer for repeats of the request. */
export async function storeAnswer(
  db: Queryable,
  companyId: string,
  { method, path, key, requestHash }: IdempotencyScope,
  answer: { status: number; body: string },
): Promise<void> {
  await db`
    INSERT INTO idempotency_keys AS existing (company_id, method, path, key, request_hash, status, body)
    VALUES (${companyId}, ${method}, ${path}, ${key}, ${requestHash}, ${answer.status}, ${answer.body})
    ON CONFLICT (company_id, method, path, key) DO UPDATE
      SET status = excluded.status, body = excluded.body, locked_until = NULL
      WHERE existing.status IS NULL`;
}

/** Removes a key whose request has no answer to keep, so that the client may try again with it. */
export async function releaseKey(
  db: Queryable,
  companyId: string,
  { method, path, key }: IdempotencyScope,
): Promise<void> {
  await db`
    DELETE FROM idempotency_keys
    WHERE company_id = ${companyId} AND method = ${method} AND path = ${path} AND key = ${key} AND status IS NULL`;
}

/** Removes a key whose answer is a refusal. */
export async function removeRefusal(
  db: Queryable,
  companyId: string,
  { method, path, key }: IdempotencyScope,
): Promise<void> {
  await db`
    DELETE FROM idempotency_keys
    WHERE company_id = ${companyId} AND method = ${method} AND path = ${path} AND key = ${key} AND status >= 400`;
}
