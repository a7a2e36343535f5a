import { randomBytes } from 'node:crypto';
import { closeSync, fchownSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '../system/errors.ts';

export type Owner = { uid: number; gid: number };

/**
 * Creates a file that only its owner can read, unless it exists. A kill or a power failure leaves no file or a whole one. Two processes
 * that start at once both find the same text in it. Root can give it to another owner.
 */
export function createPrivateFile(path: string, text: string, owner?: Owner): void {
  const beside = writeBeside(path, text, owner);
  try {
    linkSync(beside, path);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    // A file system without hard links.
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
  syncDirectory(dirname(path));
}

/**
 * Writes a file that only its owner can read, and replaces an existing one. A kill or a power failure leaves the old text or the new one,
 * never a part. Root gives it to `owner`, or else to the owner of the old file.
 */
export function writePrivateFile(path: string, text: string, owner?: Owner): void {
  const beside = writeBeside(path, text, owner ?? statSync(path, { throwIfNoEntry: false }));
  try {
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Makes a finished rename or a new file survive a power failure. */
export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives an open file to another owner, which only root can do. */
export function changeOwner(owner: Owner | undefined, descriptor: number): void {
  if (owner !== undefined && process.geteuid?.() === 0) fchownSync(descriptor, owner.uid, owner.gid);
}

function writeBeside(path: string, text: string, owner?: Owner): string {
  const beside = `${path}.${randomBytes(6).toString('hex')}.new`;
  const descriptor = openSync(beside, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    changeOwner(owner, descriptor);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return beside;
}
