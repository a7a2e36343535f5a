import type { Db } from './database.ts';
import { tryLock, unlock } from './locks.worker.queries.ts';

/**
 * Does the work unless somebody else does work of this name on the database. It keeps one connection of the pool; when the process dies,
 * others may go on. @returns what the work returns; `taken` when it was not begun
 */
export async function whileLocked<T>(db: Db, name: string, work: () => Promise<T>): Promise<T | 'taken'> {
  const connection = await db.reserve();
  try {
    if (!(await tryLock(connection, name))) return 'taken';
    try {
      return await work();
    } finally {
      await unlock(connection, name);
    }
  } finally {
    connection.release();
  }
}
