import { chmod, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError, hasCode, messageOf } from '../system/errors.ts';
import { acquireFileLock } from './file-lock.ts';
import { writePrivateFile } from './private-files.ts';

/** What a start leaves behind even if it is killed. */
const SERVER_FILES = ['lock', 'postgres'];
/** Files that no other directory has. */
const SERVER_MARKS = ['postgres-password', 'postgres-location'];

/**
 * Locks a data directory for this process, and creates it (mode 0700) if it is missing. It takes all rights of others from an existing one.
 * The group may keep its right to pass through, which a server under a separate account needs. @param applicationFiles - names of the
 * application's own files in it @returns the directory's real path, and a function that releases it @throws EmbeddedPostgresError `in_use`,
 * `directory_unusable`
 */
export async function lockDataDirectory(
  dataDirectory: string,
  applicationFiles: readonly string[],
): Promise<{ directory: string; release: () => Promise<void> }> {
  try {
    await preparePrivateDirectory(dataDirectory, applicationFiles);
    const directory = await realpath(dataDirectory);
    return { directory, release: await acquireProcessLock(join(directory, 'lock'), `the data directory ${directory}`) };
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const message = hasCode(error, 'EACCES')
      ? `The data directory ${dataDirectory} can't be opened by this user (${messageOf(error)}). Start as its owner.`
      : `${dataDirectory} can't store the data (${messageOf(error)}).`;
    throw new EmbeddedPostgresError('directory_unusable', message);
  }
}

/**
 * Takes the lock of the file at `path`, and writes the id of this process beside it. `subject` names in the error what is in use. @throws
 * EmbeddedPostgresError `in_use` while another holder lives, in this process or another
 */
export async function acquireProcessLock(path: string, subject: string): Promise<() => Promise<void>> {
  const holderPath = `${path}.pid`;
  const release = acquireFileLock(path);
  if (release === null) {
    const holder = (await readFile(holderPath, 'utf8').catch(() => '')).trim();
    const pid = holder === '' ? '' : ` (pid ${holder})`;
    throw new EmbeddedPostgresError('in_use', `Another process${pid} already uses ${subject}.`);
  }
  try {
    writePrivateFile(holderPath, `${process.pid}\n`);
  } catch (error) {
    release();
    throw error;
  }
  let released: Promise<void> | undefined;
  return () => {
    // A later call must not remove what the next holder wrote.
    released ??= rm(holderPath, { force: true }).finally(release);
    return released;
  };
}

/**
 * Creates a directory (mode 0700) and its missing parents. Node's own function does not end below `/proc`. @throws EmbeddedPostgresError
 * `directory_unusable`, which names what is in the way
 */
export async function makeDirectory(directory: string): Promise<void> {
  const made = await mkdir(directory, { mode: 0o700 }).catch((error) => error);
  if (!(made instanceof Error)) return;
  const found = await stat(directory).catch(() => null);
  if (found?.isDirectory()) return;
  if (found !== null) throw unusable(`${directory} is a file, not a directory.`);
  if (hasCode(made, 'EEXIST')) throw unusable(`${directory} is a broken link.`);
  if (hasCode(made, 'ENOTDIR')) throw unusable(`${directory} can't be created: a part of that path is a file.`);
  if (!hasCode(made, 'ENOENT')) throw made;
  const parent = dirname(directory);
  if (await stat(parent).catch(() => null)) {
    throw unusable(`${directory} can't be created in ${parent}, which accepts no directories.`);
  }
  await makeDirectory(parent);
  await makeDirectory(directory);
}

/** Refuses a directory that others use. If root took the rights of others from `/`, the machine would stop working. */
async function preparePrivateDirectory(directory: string, applicationFiles: readonly string[]): Promise<void> {
  await makeDirectory(directory);
  const names = (await readdir(directory)).filter((name) => name !== 'lost+found' && !name.startsWith('.'));
  const isMarked = names.some((name) => SERVER_MARKS.includes(name) || applicationFiles.includes(name));
  const isOurs = (name: string) =>
    [...SERVER_FILES, ...applicationFiles].some((own) => name.startsWith(own) && !/^\w/.test(name.slice(own.length)));
  if (!isMarked && !names.every(isOurs)) {
    throw unusable(`${directory} contains other files. A data directory must be empty or not exist yet.`);
  }
  const mode = (await stat(directory)).mode & 0o7777;
  if ((mode & 0o710) === mode) return;
  try {
    await chmod(directory, mode & 0o710);
  } catch (error) {
    // A volume that somebody else mounted can't be changed. The secret files in it have their own mode.
    if (!hasCode(error, 'EPERM', 'EROFS')) throw error;
  }
}

function unusable(message: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError('directory_unusable', message);
}
