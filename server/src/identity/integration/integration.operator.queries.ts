import type { Queryable, Tx } from '../../platform/database/database.ts';

/** The allowed origins. */
export async function selectAllowedOrigins(db: Queryable): Promise<string[]> {
  const [row] = await db<[{ origins: string[] }]>`SELECT to_json(allowed_origins) AS origins FROM integration`;
  return row.origins;
}

/** The same, locked until the commit. */
export async function lockAllowedOrigins(tx: Tx): Promise<string[]> {
  const [row] = await tx<
    [{ origins: string[] }]
  >`SELECT to_json(allowed_origins) AS origins FROM integration FOR NO KEY UPDATE`;
  return row.origins;
}

/** Replaces the allowed origins. */
export async function updateAllowedOrigins(tx: Tx, origins: readonly string[]): Promise<void> {
  await tx`UPDATE integration SET allowed_origins = string_to_array(${origins.join(' ')}, ' ')`;
}
