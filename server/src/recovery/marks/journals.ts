import { hostname } from 'node:os';
import type { Db } from '../../platform/database/database.ts';
import { findJournal, type Journal, type JournalReader } from '../../platform/journal/journal.service.ts';
import { selectOtherJournals } from './journals.worker.queries.ts';

/**
 * Finds the journals of the database that this machine can read: its own, and those that processes with other settings keep or kept on it.
 */
export async function findJournalsHere(db: Db, own: Journal): Promise<JournalReader[]> {
  const readers: JournalReader[] = [];
  const id = own.id();
  if (id !== null) readers.push({ id, read: own.read, readLast: own.readLast });
  for (const other of await selectOtherJournals(db, id)) {
    if (other.host !== hostname()) continue;
    const found = await findJournal(other.directory).catch(() => null);
    if (found?.id === other.id) readers.push(found);
  }
  return readers;
}
