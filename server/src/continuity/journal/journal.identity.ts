import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { validate as isUuid } from 'uuid';
import { createPrivateFile, writePrivateFile } from '../../platform/data-directory.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { selectInstallation } from './journal.worker.queries.ts';

/** What `journal.json` says. `installation`: the id of the database; a journal of an older version may lack it until it is opened. */
export type JournalIdentity = { id: string; installation?: string; createdAt: string };

/** The journal in the folder is that of another database. */
export class ForeignJournalError extends Error {
  override name = 'ForeignJournalError';
}

/** `journal.json` does not name a journal. */
export class DamagedIdentityError extends Error {
  override name = 'DamagedIdentityError';
}

/** Reads which journal is in a folder. @throws DamagedIdentityError, or what the file system says */
export async function readIdentity(directory: string): Promise<JournalIdentity> {
  const text = await readFile(identityOf(directory), 'utf8');
  try {
    const identity = JSON.parse(text) as JournalIdentity | null;
    if (identity !== null && isUuid(identity.id)) return identity;
  } catch {
    // As below.
  }
  throw new DamagedIdentityError('its journal.json is damaged');
}

/** Makes the folder a journal of this installation where it is none. @throws ForeignJournalError, DamagedIdentityError */
export async function ensureIdentity(directory: string, installation: string): Promise<JournalIdentity> {
  createPrivateFile(identityOf(directory), newIdentity(installation));
  const identity = await readIdentity(directory);
  if (identity.installation === undefined) {
    const complete = { ...identity, installation };
    writePrivateFile(identityOf(directory), `${JSON.stringify(complete)}\n`);
    return complete;
  }
  if (identity.installation !== installation) throw new ForeignJournalError('it belongs to another database');
  return identity;
}

/** Gives the journal in the folder another id. */
export function replaceIdentity(directory: string, installation: string): void {
  writePrivateFile(identityOf(directory), newIdentity(installation));
}

function newIdentity(installation: string): string {
  return `${JSON.stringify({ id: randomUUID(), installation, createdAt: new Date().toISOString() })}\n`;
}

function identityOf(directory: string): string {
  return join(directory, 'journal.json');
}

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
