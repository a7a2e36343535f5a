import type Postgres from 'postgres';
import type { Db } from './database.ts';
import { sharedSessionError } from './driver/session.ts';

/**
 * Finds out whether something lends sessions out by the transaction: two connections hold a transaction each and give them back in turn,
 * after which the first one would get the other's session, or the one that waits for longest.
 * @throws SessionRefusedError
 */
export async function checkSessions(db: Db): Promise<void> {
  const [one, other] = [await db.reserve(), await db.reserve()];
  try {
    const pid = await readPid(one);
    await one.unsafe('BEGIN');
    await other.unsafe('BEGIN');
    await one.unsafe('COMMIT');
    await other.unsafe('COMMIT');
    for (let time = 1; time <= 3; time += 1) if ((await readPid(one)) !== pid) throw sharedSessionError();
  } finally {
    one.release();
    other.release();
  }
}

async function readPid(connection: Postgres.ReservedSql): Promise<number> {
  const [row] = await connection<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
  return row.pid;
}
