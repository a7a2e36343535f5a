import { constantPart, type Queryable } from '../../platform/database/database.ts';
import type { PermissionSet } from '../../platform/permissions.ts';
import type { ApiKey } from './api-keys.schema.ts';

export type StoredApiKey = {
  id: string;
  keyHash: Buffer;
  name: string;
  prefix: string;
  permission: PermissionSet;
  allowedIps: readonly string[];
  expiresAt: Date | null;
  createdBy: string;
};

/** Of the tables `api_keys` and `users`. */
const columns = constantPart(
  (db) => db`
    api_keys.id, api_keys.name, api_keys.prefix, api_keys.permission,
    json_build_object('id', users.id, 'name', users.first_name || ' ' || users.last_name) AS created_by,
    api_keys.created_at, api_keys.last_used_at, api_keys.expires_at, api_keys.allowed_ips`,
);

/** Inserts a key; null when its creator is no member of the company any more. */
export async function insertApiKey(
  db: Queryable,
  companyId: string,
  { id, keyHash, name, prefix, permission, allowedIps, expiresAt, createdBy }: StoredApiKey,
): Promise<ApiKey | null> {
  const [row] = await db<ApiKey[]>`
    WITH users AS (
      SELECT * FROM users WHERE company_id = ${companyId} AND id = ${createdBy} FOR SHARE
    ), api_keys AS (
      INSERT INTO api_keys (company_id, id, key_hash, name, prefix, permission, allowed_ips, expires_at, created_by)
      SELECT ${companyId}, ${id}, ${keyHash}, ${name}, ${prefix}, ${JSON.stringify(permission)}::text::jsonb,
             ${JSON.stringify(allowedIps)}::text::jsonb, ${expiresAt}, users.id
      FROM users
      RETURNING *
    )
    SELECT ${columns(db)} FROM api_keys JOIN users ON users.id = api_keys.created_by`;
  return row ?? null;
}

/** How many keys the company has, expired ones too. */
export async function countApiKeys(db: Queryable, companyId: string): Promise<number> {
  const [row] = await db<[{ total: number }]>`
    SELECT count(*)::int AS total FROM api_keys WHERE company_id = ${companyId}`;
  return row.total;
}

/** A page of the company's keys, newest first, and how many there are. */
export async function selectApiKeys(
  db: Queryable,
  companyId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: ApiKey[] }> {
  const [total, data] = await Promise.all([
    countApiKeys(db, companyId),
    db<ApiKey[]>`
      SELECT ${columns(db)} FROM api_keys JOIN users ON users.id = api_keys.created_by
      WHERE api_keys.company_id = ${companyId}
      ORDER BY api_keys.id DESC LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total, data: [...data] };
}

/** A key; null when the company has none with this id. */
export async function selectApiKey(db: Queryable, companyId: string, id: string): Promise<ApiKey | null> {
  const [row] = await db<ApiKey[]>`
    SELECT ${columns(db)} FROM api_keys JOIN users ON users.id = api_keys.created_by
    WHERE api_keys.company_id = ${companyId} AND api_keys.id = ${id}`;
  return row ?? null;
}

/** Deletes a key. @returns whether the company had it */
export async function deleteApiKey(db: Queryable, companyId: string, id: string): Promise<boolean> {
  const rows = await db`DELETE FROM api_keys WHERE company_id = ${companyId} AND id = ${id} RETURNING id`;
  return rows.length === 1;
}

/** Deletes the keys that a user has created in the company. */
export async function deleteApiKeysOf(db: Queryable, companyId: string, userId: string): Promise<void> {
  await db`DELETE FROM api_keys WHERE company_id = ${companyId} AND created_by = ${userId}`;
}

/** Notes that a key is used now. */
export async function noteUse(db: Queryable, companyId: string, id: string): Promise<void> {
  await db`UPDATE api_keys SET last_used_at = now() WHERE company_id = ${companyId} AND id = ${id}`;
}
