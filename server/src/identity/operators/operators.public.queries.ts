import type { Queryable } from '../../platform/database/database.ts';
import type { OperatorRole } from '../../platform/operator-roles.ts';

/** How exact the time of the last use is. */
const USE_SECONDS = 60;

export type StoredKey = { id: string; keyHash: Buffer; name: string; prefix: string };

/** Makes this the first key; the previous one is refused from now on. */
export async function replaceFirstKey(db: Queryable, { id, keyHash, name, prefix }: StoredKey): Promise<void> {
  await db`
    INSERT INTO operator_keys AS existing (id, key_hash, name, role, prefix, is_first)
    VALUES (${id}, ${keyHash}, ${name}, 'admin', ${prefix}, true)
    ON CONFLICT (is_first) WHERE is_first DO UPDATE
    SET key_hash = excluded.key_hash, prefix = excluded.prefix,
        created_at = CASE existing.key_hash WHEN excluded.key_hash THEN existing.created_at ELSE now() END,
        last_used_at = CASE existing.key_hash WHEN excluded.key_hash THEN existing.last_used_at END
    WHERE existing.key_hash <> excluded.key_hash OR existing.prefix <> excluded.prefix`;
}

/** Whether a first key is registered. */
export async function hasFirstKey(db: Queryable): Promise<boolean> {
  const rows = await db`SELECT 1 FROM operator_keys WHERE is_first`;
  return rows.length > 0;
}

export type FoundKey = {
  id: string;
  name: string;
  role: OperatorRole;
  expiresAt: Date | null;
  /** Whether its last use was noted a while ago. */
  isUseOld: boolean;
};

/** The key with this hash, unless it has expired. The first key counts when another one is the same. */
export async function findKey(db: Queryable, keyHash: Buffer): Promise<FoundKey | null> {
  const [row] = await db<FoundKey[]>`
    SELECT id, name, role, expires_at AS "expiresAt",
           last_used_at IS NULL OR last_used_at NOT BETWEEN now() - make_interval(secs => ${USE_SECONDS}) AND now() AS "isUseOld"
    FROM operator_keys
    WHERE key_hash = ${keyHash} AND (expires_at IS NULL OR expires_at > now())
    ORDER BY is_first DESC, id LIMIT 1`;
  return row ?? null;
}

/** Notes that a key is used now. */
export async function noteUse(db: Queryable, id: string): Promise<void> {
  await db`UPDATE operator_keys SET last_used_at = now() WHERE id = ${id}`;
}
