import type { Queryable } from '../../platform/database/database.ts';

/** Makes this the operator key; the previous one is refused from now on. */
export async function replaceOperatorKey(db: Queryable, keyHash: Buffer): Promise<void> {
  await db`
    INSERT INTO operator_keys AS existing (key_hash) VALUES (${keyHash})
    ON CONFLICT (id) DO UPDATE SET key_hash = excluded.key_hash, updated_at = now()
    WHERE existing.key_hash <> excluded.key_hash`;
}

/** Whether this is the operator key. */
export async function isOperatorKey(db: Queryable, keyHash: Buffer): Promise<boolean> {
  const rows = await db`SELECT 1 FROM operator_keys WHERE key_hash = ${keyHash}`;
  return rows.length === 1;
}

/** Whether an operator key is registered. */
export async function hasOperatorKey(db: Queryable): Promise<boolean> {
  const rows = await db`SELECT 1 FROM operator_keys`;
  return rows.length > 0;
}
