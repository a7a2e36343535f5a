import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { hasCode } from '../system/errors.ts';
import { giveTo, type Owner } from './private-files.ts';

const SQLITE_BUSY = 5;
const PATIENCE_MS = 10_000;

/** Keeps the locks from the garbage collector, also those whose release function nobody kept. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Takes the lock that the file at `path` stands for, and which it creates (mode 0600). The kernel holds the lock and drops it with the
 * process, however that ends; SQLite serves for its lock alone (fcntl on Unix). The empty file stays: removing it would let a third
 * process in beside a second one.
 * @returns the function that releases it, or null when another holder, in this process or in another, kept it for `patienceMs`
 */
export function acquireFileLock(
  path: string,
  { patienceMs = 0, owner }: { patienceMs?: number; owner?: Owner } = {},
): (() => void) | null {
  createOnce(path, owner);
  const database = new DatabaseSync(path, { timeout: patienceMs });
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
 * Runs `work` on a private file while no other process does the same. The lock stands beside the file, as `<path>.lock`.
 * @throws Error when the lock does not come free within ten seconds
 */
export function whileLocked<T>(path: string, work: () => T): T {
  const release = acquireFileLock(`${path}.lock`, { patienceMs: PATIENCE_MS, owner: statSync(path) });
  if (release === null) throw new Error(`Another process has locked ${path} for ten seconds.`);
  try {
    return work();
  } finally {
    release();
  }
}

/** Never opens a file that exists: closing it would drop a lock that this process already has on it. */
function createOnce(path: string, owner: Owner | undefined): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    throw error;
  }
  try {
    giveTo(owner, descriptor);
  } finally {
    closeSync(descriptor);
  }
}
