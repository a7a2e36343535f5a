/** Statements that meet a connection which PostgreSQL has ended, and which is not closed yet. */
import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { cloneDatabase } from '../../../../test/harness/database/database.ts';
import { isDatabaseUnavailable } from '../database.ts';

/** Longer than what the driver collects before it writes: it is written at once. */
const LONG_STATEMENT = `SELECT 1${' '.repeat(2_000)}`;

/** Returns the sockets that are connected from now on. */
function watchSockets(): Socket[] {
  const sockets: Socket[] = [];
  const { connect } = Socket.prototype;
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...target: unknown[]) {
    sockets.push(this);
    return Reflect.apply(connect, this, target);
  });
  onTestFinished(() => spy.mockRestore());
  return sockets;
}

it.each([
  ['a statement', 'SELECT 1'],
  ['a long statement', LONG_STATEMENT],
])(
  '%s between the end of its connection and its closing finds the database unavailable, and the next one works',
  async (_, statement) => {
    const database = await cloneDatabase({ poolSize: 1 });
    onTestFinished(database.drop);
    const { db, owner } = database;
    const sockets = watchSockets();
    const [row] = await db<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
    const [socket] = sockets;
    if (socket === undefined) throw new Error('The driver has opened no socket.');

    const ended = once(socket, 'end').then(() => db.unsafe(statement).catch((error: unknown) => error));
    await owner`SELECT pg_terminate_backend(${row.pid})`;
    const error = await ended;
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect([...(await db`SELECT 1 AS one`)]).toEqual([{ one: 1 }]);
  },
);
