import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { StoredKey } from './operators.public.queries.ts';
import type { OperatorKey } from './operators.schema.ts';

const columns = constantPart(
  (db) => db`
    id, name, role, prefix, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt"`,
);

/** A page of the operator's keys, newest first and the first key last, and how many there are. */
export async function selectKeys(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: OperatorKey[] }> {
  const [counted, data] = await Promise.all([
    db<[{ total: number }]>`SELECT count(*)::int AS total FROM operator_keys`,
    db<
      OperatorKey[]
    >`SELECT ${columns(db)} FROM operator_keys ORDER BY is_first, id DESC LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total: counted[0].total, data: [...data] };
}

/** How many keys there are, once those that are being created have been. */
export async function countKeys(tx: Tx): Promise<number> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended('operator keys', 0))`;
  const [row] = await tx<[{ total: number }]>`SELECT count(*)::int AS total FROM operator_keys`;
  return row.total;
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
