import type { Queryable } from '../../platform/database/database.ts';
import { PROCESS_ID } from '../../platform/processes/processes.service.ts';

/** A journal that some machine keeps, or kept. */
export type OtherJournal = { id: string; host: string; directory: string };

/** Lists the journals that are not declared lost, without this machine's own; the one that was seen last comes first. */
export async function selectOtherJournals(db: Queryable, ownId: string | null): Promise<OtherJournal[]> {
  return db<OtherJournal[]>`
    SELECT id, host, directory FROM journals
    WHERE lost_at IS NULL AND id IS DISTINCT FROM ${ownId} ORDER BY seen_at DESC`;
}

/** The last entry of a journal; its mark is that of the entry. */
export type LastEntry = OtherJournal & { companyId: string; mark: string };

/** Reads the last entry of each journal that is not declared lost; the newest of all comes first. */
export async function selectLastEntries(db: Queryable): Promise<LastEntry[]> {
  return db<LastEntry[]>`
    SELECT id, host, directory, last_company_id AS "companyId", last_mark AS mark FROM journals
    WHERE lost_at IS NULL AND last_mark IS NOT NULL AND last_mark_at > now() - interval '39 days'
    ORDER BY last_mark_at DESC`;
}

/** Forgets a journal that this process does not keep any more, unless another one does. */
export async function deleteJournalUnlessKept(db: Queryable, id: string): Promise<void> {
  await db`
    DELETE FROM journals
    WHERE id = ${id} AND NOT EXISTS (
      SELECT FROM processes WHERE journal_id = ${id} AND id <> ${PROCESS_ID} AND seen_at > now() - interval '5 seconds')`;
}

/** Forgets a journal that is not kept any more, while the database has all of it. */
export async function deleteJournal(db: Queryable, id: string): Promise<void> {
  await db`DELETE FROM journals WHERE id = ${id}`;
}
