import { randomBytes } from 'node:crypto';
import { closeSync, fchownSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

type Owner = { uid: number; gid: number };

/**
 * Creates a file that its owner alone may read, unless there is one. A kill leaves no file or a whole one, and of two
 * processes that start at once both find the same text in it. Root may leave it to another owner.
 */
export function createPrivateFile(path: string, text: string, owner?: Owner): void {
  const beside = writeBeside(path, text, owner);
  try {
    linkSync(beside, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    // A file system without hard links.
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
  syncDirectory(path);
}

/**
 * Replaces a file that its owner alone may read, and leaves it to that owner when root does it. A kill leaves the old
 * text or the new one, never half of one.
 */
export function replacePrivateFile(path: string, text: string): void {
  const beside = writeBeside(path, text, statSync(path));
  renameSync(beside, path);
  syncDirectory(path);
}

function writeBeside(path: string, text: string, owner?: Owner): string {
  const beside = `${path}.${randomBytes(6).toString('hex')}.new`;
  const descriptor = openSync(beside, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    if (owner !== undefined && process.getuid?.() === 0) fchownSync(descriptor, owner.uid, owner.gid);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return beside;
}

/** Makes the new name survive a power cut. */
function syncDirectory(path: string): void {
  const descriptor = openSync(dirname(path), 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
