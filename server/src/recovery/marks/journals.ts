import { findJournal, type Journal, type JournalReader } from '../../continuity/journal/journal.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { type OtherJournal, selectOtherJournals } from './journals.worker.queries.ts';

/** The journals beside this process's own: those that can be read on this machine, and the others. */
export type OtherJournals = { readable: JournalReader[]; others: OtherJournal[] };

/**
 * Finds the other journals of the database. Processes with other settings may keep some on this machine, or have kept them, also under
 * another name of the machine.
 */
export async function findOtherJournals(db: Db, own: Journal): Promise<OtherJournals> {
  const found: OtherJournals = { readable: [], others: [] };
  for (const other of await selectOtherJournals(db, own.id())) {
    const reader = await findJournal(other.directory).catch(() => null);
    if (reader?.id === other.id) found.readable.push(reader);
    else found.others.push(other);
  }
  return found;
}
