import type { Queryable } from '../../platform/database/database.ts';

/** A journal that some machine keeps, or kept. */
export type OtherJournal = { id: string; host: string; directory: string; seenAt: Date };

/** Lists the journals that are not declared lost, without this machine's own; the one that was seen last comes first. */
export async function selectOtherJournals(db: Queryable, ownId: string | null): Promise<OtherJournal[]> {
  return db<OtherJournal[]>`
    SELECT id, host, directory, seen_at AS "seenAt" FROM journals
    WHERE lost_at IS NULL AND id IS DISTINCT FROM ${ownId} ORDER BY seen_at DESC`;
}
