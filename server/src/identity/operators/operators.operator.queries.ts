import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { StoredKey } from './operators.public.queries.ts';
import type { OperatorKey } from './operators.schema.ts';

const columns = constantPart(
  (db) => db`
    id, name, role, prefix, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt"`,
);

/** How many keys there are. */
export async function countKeys(db: Queryable): Promise<number> {
  const [row] = await db<[{ total: number }]>`SELECT count(*)::int AS total FROM operator_keys`;
  return row.total;
}

/** Locks the list of the keys until the commit, so that of two new ones one counts the other. */
export async function lockKeys(tx: Tx): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended('operator keys', 0))`;
}

/** A page of the operator's keys, newest first and the first key last, and how many there are. */
export async function selectKeys(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: OperatorKey[] }> {
  const [total, data] = await Promise.all([
    countKeys(db),
    db<
      OperatorKey[]
    >`SELECT ${columns(db)} FROM operator_keys ORDER BY is_first, id DESC LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total, data: [...data] };
}

/** Inserts a key. */
export async function insertKey(
  db: Queryable,
  { id, keyHash, name, prefix, role, expiresAt }: StoredKey & Pick<OperatorKey, 'role' | 'expiresAt'>,
): Promise<OperatorKey> {
  const [row] = await db<[OperatorKey]>`
    INSERT INTO operator_keys (id, key_hash, name, role, prefix, is_first, expires_at)
    VALUES (${id}, ${keyHash}, ${name}, ${role}, ${prefix}, false, ${expiresAt})
    RETURNING ${columns(db)}`;
  return row;
}

/** A key; null when there is none. */
export async function selectKey(db: Queryable, id: string): Promise<(OperatorKey & { isFirst: boolean }) | null> {
  const [row] = await db<(OperatorKey & { isFirst: boolean })[]>`
    SELECT ${columns(db)}, is_first AS "isFirst" FROM operator_keys WHERE id = ${id}`;
  return row ?? null;
}

/** Deletes a key. */
export async function deleteKey(db: Queryable, id: string): Promise<void> {
  await db`DELETE FROM operator_keys WHERE id = ${id}`;
}
