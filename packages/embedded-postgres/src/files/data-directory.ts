import { open, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasCode, messageOf, preparePrivateDirectory, writePrivateFile } from './private-files.ts';

const SQLITE_BUSY = 5;

/** Keeps the locks from the garbage collector, also those whose release function nobody kept. */
const heldLocks = new Set<DatabaseSync>();

/** Another living process holds the lock. The message is meant for the person at the terminal. */
class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError';
}

/**
 * Makes this process the only Paydesk on a data directory, which is created (mode 0700) if it is missing. The kernel holds the lock
 * and drops it with the process, however that ends. Returns the function that gives it back.
 * Rejects with an `AlreadyRunningError` while another process has it, and when the directory belongs to another user.
 */
export async function lockDataDirectory(dataDirectory: string): Promise<() => Promise<void>> {
  try {
    await preparePrivateDirectory(dataDirectory);
    const directory = await realpath(dataDirectory);
    return await takeLock(join(directory, 'lock'), `the data directory ${directory}`);
  } catch (error) {
    if (hasCode(error, 'EACCES')) {
      throw new Error(
        `The data directory ${dataDirectory} is closed to this user (${messageOf(error)}). ` +
          'Start Paydesk as the user that it belongs to, or choose another data directory.',
      );
    }
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new Error(`${dataDirectory} can't hold the data (${messageOf(error)}). Choose another DATA_DIR.`);
  }
}

/**
 * Takes the exclusive lock that the file at `path` stands for. `subject` names in the error what is in use.
 * Rejects with an `AlreadyRunningError` while another holder lives, in this process or in another.
 */
export async function takeLock(path: string, subject: string): Promise<() => Promise<void>> {
  await createOnce(path);
  const holderPath = `${path}.pid`;
  const database = lockDatabase(path);
  if (!database) {
    const holder = await readFile(holderPath, 'utf8').catch(() => '');
    const pid = holder.trim() === '' ? '' : ` (pid ${holder.trim()})`;
    throw new AlreadyRunningError(
      `Another Paydesk${pid} already runs on ${subject}. Stop it first, or choose another one.`,
    );
  }
  heldLocks.add(database);
  await writePrivateFile(holderPath, `${process.pid}\n`);

  return async () => {
    if (!heldLocks.delete(database)) return;
    await rm(holderPath, { force: true }).finally(() => database.close());
  };
}

/** SQLite serves for its lock alone (fcntl on Unix): the database stays empty. Null when somebody else holds it. */
function lockDatabase(path: string): DatabaseSync | null {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

/** Never opens a file that exists: closing it would drop a lock that this process already has on it. */
async function createOnce(path: string): Promise<void> {
  try {
    const handle = await open(path, 'wx', 0o600);
    await handle.close();
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}
