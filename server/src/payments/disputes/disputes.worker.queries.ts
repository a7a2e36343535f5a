import type { Db } from '../../platform/database/database.ts';

/** Returns the number of a check that begins now, larger than that of every check that began before. */
export async function nextCheckNumber(db: Db): Promise<string> {
  const [row] = await db<[{ checkNumber: string }]>`SELECT nextval('dispute_looks')::text AS "checkNumber"`;
  return row.checkNumber;
}
