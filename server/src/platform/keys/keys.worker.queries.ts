import type { Queryable } from '../database/database.ts';

/** The identity of the keys that the database was used with; null when there is none. */
export async function readKeysIdentity(db: Queryable): Promise<string | null> {
  const [row] = await db<{ identity: string | null }[]>`SELECT keys_identity AS identity FROM installation`;
  return row?.identity ?? null;
}

/**
 * Records the keys' identity unless another one is recorded; with `replaces` always. @returns whether it is recorded
 * now
 */
export async function claimKeysIdentity(db: Queryable, identity: string, replaces: boolean): Promise<boolean> {
  const rows = await db`
    UPDATE installation SET keys_identity = ${identity}
    WHERE keys_identity IS NULL OR keys_identity = ${identity} OR ${replaces}::boolean RETURNING 1`;
  return rows.length === 1;
}
