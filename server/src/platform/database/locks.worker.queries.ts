import type { Queryable } from './database.ts';

/** Takes the lock of this name for as long as the connection lives. False when somebody has it. */
export async function tryLock(connection: Queryable, name: string): Promise<boolean> {
  const [row] = await connection<[{ isLocked: boolean }]>`
    SELECT pg_try_advisory_lock(hashtextextended(${name}, 0)) AS "isLocked"`;
  return row.isLocked;
}

/** Gives the lock back. */
export async function unlock(connection: Queryable, name: string): Promise<void> {
  await connection`SELECT pg_advisory_unlock(hashtextextended(${name}, 0))`;
}
