import type { Queryable } from '../../platform/database/database.ts';

/** A journal that some machine keeps, or kept. `isRecent`: some process had it a few minutes ago. */
export type OtherJournal = { id: string; host: string; directory: string; isRecent: boolean };

/** Processes say each minute that their journal is there. */
const RECENT_SECONDS = 300;

/** Lists the journals that are not declared lost, without this machine's own; the one that was seen last comes first. */
export async function selectOtherJournals(db: Queryable, ownId: string | null): Promise<OtherJournal[]> {
  return db<OtherJournal[]>`
    SELECT id, host, directory, seen_at > now() - make_interval(secs => ${RECENT_SECONDS}) AS "isRecent" FROM journals
    WHERE lost_at IS NULL AND id IS DISTINCT FROM ${ownId} ORDER BY seen_at DESC`;
}

/** Forgets a journal whose folder was replaced while the database had all of it. */
export async function deleteJournal(db: Queryable, id: string): Promise<void> {
  await db`DELETE FROM journals WHERE id = ${id}`;
}
