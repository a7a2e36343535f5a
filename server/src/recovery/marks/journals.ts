import { hostname } from 'node:os';
import type { Db } from '../../platform/database/database.ts';
import { findJournal, type Journal, type JournalReader } from '../../platform/journal/journal.service.ts';
import { isAnotherProcessAlive } from '../../platform/processes/processes.service.ts';
import { type OtherJournal, selectOtherJournals } from './journals.worker.queries.ts';

/** The journals beside this process's own: those that can be read on this machine, and the others. */
export type OtherJournals = { readable: JournalReader[]; others: OtherJournal[] };

/** Finds the other journals of the database. Processes with other settings may keep some on this machine, or have kept them. */
export async function findOtherJournals(db: Db, own: Journal): Promise<OtherJournals> {
  const found: OtherJournals = { readable: [], others: [] };
  for (const other of await selectOtherJournals(db, own.id())) {
    const reader = other.host === hostname() ? await findJournal(other.directory).catch(() => null) : null;
    if (reader?.id === other.id) found.readable.push(reader);
    else found.others.push(other);
  }
  return found;
}

/**
 * Whether somebody else keeps a journal of the database now, of those that can't be read here. A container may have the name of this
 * machine and other folders; then only a living process shows that it is there.
 */
export async function isKeptElsewhere(db: Db, others: readonly OtherJournal[]): Promise<boolean> {
  const recent = others.filter(({ isRecent }) => isRecent);
  if (recent.some(({ host }) => host !== hostname())) return true;
  return recent.length > 0 && isAnotherProcessAlive(db);
}
