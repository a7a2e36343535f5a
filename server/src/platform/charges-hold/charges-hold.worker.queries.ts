import type { Queryable } from '../database/database.ts';

/** Reads the hold that has not ended; null when there is none. */
export async function selectHold(db: Queryable): Promise<{ reason: string; since: Date } | null> {
  const [row] = await db<{ reason: string; since: Date }[]>`
    SELECT reason, begun_at AS since FROM charges_holds WHERE ended_at IS NULL`;
  return row ?? null;
}
