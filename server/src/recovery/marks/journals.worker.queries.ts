import { isSettled } from '../../continuity/hold/charges-hold.service.ts';
import type { Queryable } from '../../platform/database/database.ts';

/** A journal that some machine keeps, or kept. */
export type OtherJournal = { id: string; host: string; directory: string };

/** Lists the journals that are not declared lost, without this machine's own; the one that was seen last comes first. */
export async function selectOtherJournals(db: Queryable, ownId: string | null): Promise<OtherJournal[]> {
  return db<OtherJournal[]>`
    SELECT id, host, directory FROM journals
    WHERE lost_at IS NULL AND id IS DISTINCT FROM ${ownId} ORDER BY seen_at DESC`;
}

/** Reads the mark of the last entry of each journal that is not declared lost; the newest of all comes first. */
export async function selectLastEntries(db: Queryable): Promise<{ id: string; mark: string }[]> {
  return db<{ id: string; mark: string }[]>`
    SELECT id, last_mark AS mark FROM journals
    WHERE lost_at IS NULL AND last_mark IS NOT NULL AND last_mark_at > now() - interval '39 days'
    ORDER BY last_mark_at DESC`;
}

/** The kind of the journal's entry that remembers that a person gave up a journal, which is its subject. */
export const JOURNAL_LOSS = 'journal_loss';

/** Gives up a journal in this hold that was given up in an earlier one, which the database has lost. */
export async function markLostBefore(db: Queryable, holdId: string, id: string): Promise<void> {
  await db`UPDATE journals SET lost_in = ${holdId} WHERE id = ${id}`;
}

/** Says that a journal was read whole during this hold. */
export async function noteJournalRead(db: Queryable, holdId: string, journalId: string): Promise<void> {
  await db`UPDATE journals SET read_at = now(), read_in = ${holdId} WHERE id = ${journalId}`;
}

/** The journals for which the hold does not wait: it has read them whole, or a person gave them up. */
export async function selectSettled(db: Queryable, holdId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT id FROM journals WHERE ${isSettled(db, db`${holdId}::uuid`)}`;
  return rows.map(({ id }) => id);
}
