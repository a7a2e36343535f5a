import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Queryable } from '../../platform/database/database.ts';
import { selectInstallation } from './journal.worker.queries.ts';

type Directories = { dataDirectory: string; journalDirectory: string | undefined };

/**
 * Chooses where the journal of this database is: in a folder of `JOURNAL_DIR` that has the name of the database's id, so that another
 * database with the same settings has a journal of its own.
 */
export async function chooseJournalDirectory(db: Queryable, directories: Directories): Promise<string> {
  return join(await chooseParent(directories), await selectInstallation(db));
}

/** Beside the data directory, a journal is left alone when a copy of the data directory is put back. */
async function chooseParent({ dataDirectory, journalDirectory }: Directories): Promise<string> {
  if (journalDirectory !== undefined) return resolve(journalDirectory);
  const inside = join(dataDirectory, 'journal');
  if (existsSync(inside)) return inside;
  const beside = `${dataDirectory}-journal`;
  return mkdir(beside, { recursive: true, mode: 0o700 }).then(
    () => beside,
    () => inside,
  );
}
