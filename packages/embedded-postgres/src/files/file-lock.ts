import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from '../../../../server/src/platform/config/private-files.ts';

const PATIENCE_MS = 10_000;

/**
 * Runs `work` on a private file while no other process does the same. The lock stands beside the file; the kernel holds it and
 * drops it with the process, however that ends (SQLite serves for its lock alone). Its empty file stays: removing it would let a
 * third process in beside a second one.
 * @throws Error when the lock does not come free within ten seconds
 */
export function whileLocked<T>(path: string, work: () => T): T {
  const lockPath = `${path}.lock`;
  if (!existsSync(lockPath)) createPrivateFile(lockPath, '', statSync(path));
  const database = new DatabaseSync(lockPath, { timeout: PATIENCE_MS });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return work();
  } finally {
    database.close();
  }
}
