import type { Db } from '../../platform/database/database.ts';

/** A number for a look at the gateway that begins now: larger than that of every look that began before. */
export async function takeLook(db: Db): Promise<string> {
  const [row] = await db<[{ look: string }]>`SELECT nextval('dispute_looks')::text AS look`;
  return row.look;
}
