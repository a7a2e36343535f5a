import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { validate as isUuid } from 'uuid';
import { createPrivateFile, writePrivateFile } from '../../platform/data-directory.ts';

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

/** Says in the folder of another journal of the database, on this machine, that this one was kept later. */
export async function nameLaterJournal(directory: string, id: string): Promise<void> {
  if ((await readLaterJournal(directory)) === id) return;
  writePrivateFile(laterOf(directory), `${JSON.stringify({ id })}\n`);
}

/** Reads which journal was kept later than the one in the folder; null where none was. */
export async function readLaterJournal(directory: string): Promise<string | null> {
  try {
    const { id } = JSON.parse(await readFile(laterOf(directory), 'utf8')) as { id: string };
    return id;
  } catch {
    return null;
  }
}

/** Forgets that another journal was kept later. */
export async function forgetLaterJournal(directory: string): Promise<void> {
  await rm(laterOf(directory), { force: true });
}

function laterOf(directory: string): string {
  return join(directory, 'later.json');
}

function newIdentity(installation: string): string {
  return `${JSON.stringify({ id: randomUUID(), installation, createdAt: new Date().toISOString() })}\n`;
}

function identityOf(directory: string): string {
  return join(directory, 'journal.json');
}
