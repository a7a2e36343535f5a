import type { Queryable, Tx } from '../database/database.ts';

/** Reads the hold that has not ended; null when there is none. Its reason names the journals that were declared lost during it. */
export async function selectHold(db: Queryable): Promise<{ reason: string; since: Date } | null> {
  const [row] = await db<{ reason: string; since: Date }[]>`
    SELECT reason || coalesce((
             SELECT ' Lost journals: ' || string_agg(journals.id::text, ', ' ORDER BY lost_at, journals.id) || '.'
             FROM journals WHERE lost_in = charges_holds.id
           ), '') AS reason, begun_at AS since
    FROM charges_holds WHERE ended_at IS NULL`;
  return row ?? null;
}

/** Keeps the hold from ending until the transaction has. False when there is none. */
export async function lockHold(tx: Tx): Promise<boolean> {
  const rows = await tx`SELECT 1 FROM charges_holds WHERE ended_at IS NULL FOR SHARE`;
  return rows.length === 1;
}
