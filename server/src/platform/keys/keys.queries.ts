import type { Queryable } from '../database/database.ts';

/** Which keys the database has been used with; null while with none. */
export async function readKeysIdentity(db: Queryable): Promise<string | null> {
  const [row] = await db<{ identity: string | null }[]>`SELECT keys_identity AS identity FROM installation`;
  return row?.identity ?? null;
}

/** Writes down whose keys they are, unless they are others' already; `replaces`: then too. @returns whether they stand there now */
export async function claimKeysIdentity(db: Queryable, identity: string, replaces: boolean): Promise<boolean> {
  const rows = await db`
    UPDATE installation SET keys_identity = ${identity}
    WHERE keys_identity IS NULL OR keys_identity = ${identity} OR ${replaces}::boolean RETURNING 1`;
  return rows.length === 1;
}
