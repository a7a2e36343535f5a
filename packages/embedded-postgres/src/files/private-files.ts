import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Tells whether an error of the file system or of a system call has one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** What went wrong, as text for a log line or for the message of another error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Makes a finished rename or a new file survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file so that a reader, also after a power cut, finds the old text or the new one and nothing between.
 * It is readable by its owner alone: this process, or `owner` when given.
 */
export async function writePrivateFile(path: string, text: string, owner?: { uid: number; gid: number }) {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      if (owner) await handle.chown(owner.uid, owner.gid);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/**
 * Creates a directory (mode 0700) and those above it, where they are missing. Node's own way of doing that never ends below `/proc`.
 * @throws Error that says what stands in its place
 */
export async function makeDirectory(directory: string): Promise<void> {
  const made = await mkdir(directory, { mode: 0o700 }).catch((error) => error);
  if (!(made instanceof Error)) return;
  const found = await stat(directory).catch(() => null);
  if (found?.isDirectory()) return;
  if (found !== null) throw new Error(`${directory} is a file, and not a directory. Choose another DATA_DIR.`);
  if (hasCode(made, 'EEXIST'))
    throw new Error(`${directory} is a link to nowhere. Choose another DATA_DIR, or make its target.`);
  if (hasCode(made, 'ENOTDIR'))
    throw new Error(`${directory} can't be made: a part of that path is a file. Choose another DATA_DIR.`);
  const parent = dirname(directory);
  if (!hasCode(made, 'ENOENT')) throw made;
  if (await stat(parent).catch(() => null)) {
    throw new Error(`${directory} can't be made in ${parent}, which takes no directories. Choose another DATA_DIR.`);
  }
  await makeDirectory(parent);
  await makeDirectory(directory);
}

/** What a start leaves behind even when it is killed. */
const OWN_NAMES = /^(lock|keys\.json|operator-key|postgres|sandbox-gateway\.db)(\W|$)/;
const MARKS = ['keys.json', 'postgres-password', 'postgres-location'];

/**
 * Creates the data directory (mode 0700) if it is missing, and takes from an existing one every right of others. The group may keep
 * its right to pass through, which a server that runs under an account of its own needs.
 * @throws Error when other things are kept there: without the rights that root would take from `/`, a machine stands still
 */
export async function preparePrivateDirectory(directory: string): Promise<void> {
  await makeDirectory(directory);
  const names = (await readdir(directory)).filter((name) => name !== 'lost+found' && !name.startsWith('.'));
  if (!names.some((name) => MARKS.includes(name)) && !names.every((name) => OWN_NAMES.test(name))) {
    throw new Error(`${directory} holds other files. Choose a DATA_DIR that is empty, or not there yet.`);
  }
  const mode = (await stat(directory)).mode & 0o7777;
  if ((mode & 0o710) === mode) return;
  try {
    await chmod(directory, mode & 0o710);
  } catch (error) {
    // A volume mounted by somebody else can't be changed; what is secret in it has a mode of its own.
    if (!hasCode(error, 'EPERM', 'EROFS')) throw error;
  }
}
