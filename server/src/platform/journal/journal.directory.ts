import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

type Directories = { dataDirectory: string; journalDirectory: string | undefined };

/**
 * Chooses where the journal is: in `JOURNAL_DIR`, else beside the data directory, so that a copy of the data directory that is put back
 * leaves it alone. Where nothing can be made there, it is in the data directory.
 */
export async function chooseJournalDirectory({ dataDirectory, journalDirectory }: Directories): Promise<string> {
  if (journalDirectory !== undefined) return resolve(journalDirectory);
  const inside = join(dataDirectory, 'journal');
  if (existsSync(inside)) return inside;
  const beside = `${dataDirectory}-journal`;
  return mkdir(beside, { recursive: true, mode: 0o700 }).then(
    () => beside,
    () => inside,
  );
}
