import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { hasCode } from '../system/errors.ts';
import { changeOwner, type Owner } from './private-files.ts';

const SQLITE_BUSY = 5;
const TIMEOUT_MS = 10_000;

/** Protects the locks from garbage collection, also those whose release function was not kept. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Takes the lock of the file at `path`, and creates the file (mode 0600). The kernel releases the lock when the process ends, in whatever
 * way. SQLite is used only for its lock (fcntl on Unix). The empty file stays: if it were removed, a third process could get the lock
 * beside a second one. @returns a function that releases the lock, or null if another holder, in this process or another, kept it for
 * `timeoutMs`
 */
export function acquireFileLock(
  path: string,
  { timeoutMs = 0, owner }: { timeoutMs?: number; owner?: Owner } = {},
): (() => void) | null {
  createOnce(path, owner);
  const database = new DatabaseSync(path, { timeout: timeoutMs });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
  heldLocks.add(database);
  return () => {
    if (heldLocks.delete(database)) database.close();
  };
}

/**
 * Runs `work` on a private file while no other process does so. The lock is beside the file, as `<path>.lock`. @throws Error if the lock is
 * not released within ten seconds
 */
export function whileLocked<T>(path: string, work: () => T): T {
  const release = acquireFileLock(`${path}.lock`, { timeoutMs: TIMEOUT_MS, owner: statSync(path) });
  if (release === null) throw new Error(`Another process has locked ${path} for ten seconds.`);
  try {
    return work();
  } finally {
    release();
  }
}

/** Never opens an existing file: closing it would release a lock that this process already has on it. */
function createOnce(path: string, owner: Owner | undefined): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    throw error;
  }
  try {
    changeOwner(owner, descriptor);
  } finally {
    closeSync(descriptor);
  }
}
