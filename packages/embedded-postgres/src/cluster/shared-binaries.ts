import { constants, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, hasCode } from '../system/errors.ts';

/**
 * Creates a directory below `sharedDirectory` that belongs to root and that everybody may pass through but not list.
 * Rejects if somebody else could change its content.
 */
export async function createSharedDirectory(sharedDirectory: string, name: string): Promise<string> {
  for (const path of [sharedDirectory, join(sharedDirectory, name)]) {
    await mkdir(path, { recursive: true, mode: 0o711 });
    const found = await lstat(path);
    if (!found.isDirectory() || found.uid !== 0) {
      throw new EmbeddedPostgresError('cannot_run', `${path} must be a directory that belongs to root.`);
    }
    if ((found.mode & 0o7777) !== 0o711) await chmod(path, 0o711);
  }
  return join(sharedDirectory, name);
}

/**
 * Copies the programs once to a folder that every account can read. A copy that is incomplete, or that anybody but root could have changed,
 * is replaced. @returns the folder
 */
export async function installSharedBinaries(
  nativeDirectory: string,
  sharedDirectory: string,
  name: string,
): Promise<string> {
  const parent = await createSharedDirectory(sharedDirectory, 'postgres-binaries');
  const target = join(parent, name);
  if (isIntactCopy(nativeDirectory, target)) return target;

  const temporary = await mkdtemp(join(parent, 'copying-'));
  try {
    await copyReadable(nativeDirectory, join(temporary, 'new'));
    // Another process may have finished first and already runs its copy.
    if (isIntactCopy(nativeDirectory, target)) return target;
    await rename(target, join(temporary, 'old')).catch((error) => {
      if (!hasCode(error, 'ENOENT')) throw error;
    });
    await rename(join(temporary, 'new'), target);
  } catch (error) {
    if (!isIntactCopy(nativeDirectory, target)) throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return target;
}

/** Copies a folder with its links, so that everybody may read it and run what its owner may run. */
export async function copyReadable(source: string, target: string): Promise<void> {
  await mkdir(target);
  await chmod(target, 0o755); // the umask would restrict the mode given to mkdir
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isDirectory()) await copyReadable(from, to);
    else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
    else {
      await copyFile(from, to, constants.COPYFILE_FICLONE);
      await chmod(to, readableMode((await lstat(from)).mode));
    }
  }
}

/**
 * Whether `target` has every file of `source` with its size, belongs to this user, and can't be changed by others. It is synchronous,
 * because it checks two thousand files at each start, and this takes a fifth of the time.
 */
export function isIntactCopy(source: string, target: string): boolean {
  const original = lstatSync(source);
  const copy = lstatSync(target, { throwIfNoEntry: false });
  if (copy === undefined || copy.uid !== process.geteuid?.()) return false;
  if (original.isSymbolicLink()) return copy.isSymbolicLink() && readlinkSync(source) === readlinkSync(target);
  if (original.isDirectory()) return isOpenDirectory(copy) && hasIntactEntries(source, target);
  return copy.isFile() && copy.size === original.size && (copy.mode & 0o7777) === readableMode(original.mode);
}

function hasIntactEntries(source: string, target: string): boolean {
  const names = readdirSync(source);
  return (
    readdirSync(target).length === names.length &&
    names.every((name) => isIntactCopy(join(source, name), join(target, name)))
  );
}

function isOpenDirectory(found: { isDirectory(): boolean; mode: number }): boolean {
  return found.isDirectory() && (found.mode & 0o7777) === 0o755;
}

function readableMode(mode: number): number {
  return mode & 0o100 ? 0o755 : 0o644;
}
