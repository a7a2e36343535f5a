import { EventEmitter } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../../test/harness/database/database.ts';
import { eventually } from '../../../../test/harness/process.ts';
import { isDatabaseUnavailable, transaction } from '../database.ts';
import { APPLICATION_ROLE, connect } from '../pool.ts';
import { postgres } from './driver.ts';

const POOL_SIZE = 4;
const ROUNDS = 25;

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase({ poolSize: POOL_SIZE });
  await database.owner.unsafe(
    'CREATE TABLE pairs (pair integer NOT NULL, side text NOT NULL, PRIMARY KEY (pair, side))',
  );
  await database.owner.unsafe(`GRANT SELECT, INSERT ON pairs TO ${APPLICATION_ROLE}`);
});
afterAll(async () => database.drop());

async function killConnections(): Promise<number> {
  const killed = await database.owner`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = ${APPLICATION_ROLE}`;
  return killed.length;
}

/** A fake server: accepts every login, and answers every statement with one row that holds "1". */
function createFakeSocket() {
  const socket = new EventEmitter();
  const written: Buffer[] = [];
  const write = (bytes: Buffer): boolean => {
    const isLogin = written.push(bytes) === 1;
    const answer = [...(isLogin ? [message('R', Buffer.alloc(4))] : ONE_ROW), message('Z', Buffer.from('I'))];
    setImmediate(() => socket.emit('data', Buffer.concat(answer)));
    return true;
  };
  const end = () => void setImmediate(() => socket.emit('close', false));
  return Object.assign(socket, { readyState: 'open', written, write, end });
}

function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

/** Parsed, no parameters, one column of text named "one", bound, the row, done. */
const ONE_ROW = [
  message('1', Buffer.alloc(0)),
  message('t', Buffer.from([0, 0])),
  message(
    'T',
    Buffer.concat([
      Buffer.from([0, 1]),
      Buffer.from('one\0'),
      Buffer.from([...Array(9).fill(0), 25, ...Array(8).fill(0)]),
    ]),
  ),
  message('2', Buffer.alloc(0)),
  message('D', Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 1]), Buffer.from('1')])),
  message('C', Buffer.from('SELECT 1\0')),
];

describe('connections that are killed repeatedly under load', () => {
  it('neither end the process, mix up results nor leave half a transaction, and all of them reconnect', async () => {
    const { db, owner } = database;
    let stopping = false;
    let pair = 0;
    const unexpected: unknown[] = [];
    const expected = Array.from({ length: 400 }, (_, index) => ({ n: index, text: 'x'.repeat(50) }));
    const read = async () => {
      const rows = await db`SELECT n::int, repeat('x', 50) AS text FROM generate_series(0, 399) AS n`;
      expect([...rows]).toEqual(expected);
    };
    const write = () => {
      pair += 1;
      const mine = pair;
      return transaction(db, async (tx) => {
        await tx`INSERT INTO pairs VALUES (${mine}, 'left')`;
        await sleep(mine % 5);
        await tx`INSERT INTO pairs VALUES (${mine}, 'right')`;
      });
    };
    const load = [read, write, read, write, write, read].map(async (work) => {
      while (!stopping) await work().catch((error) => isDatabaseUnavailable(error) || unexpected.push(error));
    });
    let killed = 0;
    for (let round = 0; round < ROUNDS || killed <= ROUNDS; round += 1) {
      await sleep(60 + (round % 7) * 10);
      killed += await killConnections();
    }
    stopping = true;
    await Promise.all(load);
    expect(unexpected).toEqual([]);

    const halves = await owner`SELECT pair FROM pairs GROUP BY pair HAVING count(*) <> 2`;
    expect([...halves]).toEqual([]);
    const [whole] = await owner<[{ count: number }]>`SELECT count(*)::int FROM pairs`;
    expect(whole.count).toBeGreaterThan(0);
    await everyConnectionAnswers();
  });

  /** Each transaction keeps its connection until all of them have one. */
  async function everyConnectionAnswers(): Promise<void> {
    const pids = new Set<number>();
    const works = Array.from({ length: POOL_SIZE }, () =>
      transaction(database.db, async (tx) => {
        const [row] = await tx<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
        pids.add(row.pid);
        await eventually(() => pids.size === POOL_SIZE);
      }),
    );
    await Promise.all(works);
  }
});

describe('hundreds of parallel statements and transactions', () => {
  it('succeed or fail as a whole, and no transaction contains another’s statements', async () => {
    const { db, owner } = database;
    const works = Array.from({ length: 400 }, async (_, index) => {
      if (index % 2 === 0) return db`SELECT 1`;
      return transaction(db, async (tx) => {
        await tx`INSERT INTO pairs VALUES (${1_000_000 + index}, 'left')`;
        await tx`SELECT 1`;
      });
    });
    const outcomes = await Promise.allSettled(works);
    // On a slow machine some may get no connection in time.
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason.message);
    expect(new Set(refused).difference(new Set(['The database is busy.']))).toEqual(new Set());
    const written = await owner<{ pair: number }[]>`SELECT pair::int FROM pairs WHERE pair >= 1000000 ORDER BY pair`;
    const done = outcomes.flatMap(({ status }, index) =>
      status === 'fulfilled' && index % 2 === 1 ? [1_000_000 + index] : [],
    );
    expect(done.length).toBeGreaterThan(0);
    expect(written.map(({ pair }) => pair)).toEqual(done);
    const open = await owner`
      SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
    expect([...open]).toEqual([]);
  });
});

describe('a transaction whose connection is lost', () => {
  it('does not run later statements of its work on the next connection', async () => {
    const { db, owner } = database;
    let finished = () => {};
    const workFinished = new Promise<void>((resolve) => {
      finished = resolve;
    });
    const lost = transaction(db, async (tx) => {
      const [row] = await tx<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
      await owner`SELECT pg_terminate_backend(${row.pid})`;
      // In parallel, so that the lost connection is opened again.
      await sleep(200);
      await Promise.all(Array.from({ length: POOL_SIZE }, () => db`SELECT pg_sleep(0.3)`));
      try {
        await tx`INSERT INTO pairs VALUES (-1, 'late')`;
      } finally {
        finished();
      }
    }).catch((error) => error);
    expect(isDatabaseUnavailable(await lost)).toBe(true);
    await workFinished;
    expect(await owner`SELECT 1 FROM pairs WHERE pair = -1`).toHaveLength(0);
  });
});

describe('a connection that is killed during a statement', () => {
  it('does not affect the next statement', async () => {
    const { db, drop, owner } = await cloneDatabase({ poolSize: 1 });
    const [row] = await db<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
    const running = db`SELECT pg_sleep(60)`.catch((error) => error);
    while ((await owner`SELECT 1 FROM pg_stat_activity WHERE pid = ${row.pid} AND state = 'active'`).length === 0);
    await owner`SELECT pg_terminate_backend(${row.pid})`;
    expect(isDatabaseUnavailable(await running)).toBe(true);
    expect([...(await db`SELECT 1 AS one`)]).toEqual([{ one: 1 }]);
    await drop();
  });

  it('fails a transaction of the driver itself, and nothing else', async () => {
    const { db, owner } = database;
    const lost = db.begin(async (tx) => {
      const [row] = await tx<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
      await owner`SELECT pg_terminate_backend(${row.pid})`;
      await sleep(50);
      await tx`SELECT 1`;
    });
    expect(isDatabaseUnavailable(await lost.catch((error) => error))).toBe(true);
    await sleep(50);
    expect([...(await db`SELECT 1 AS one`)]).toEqual([{ one: 1 }]);
  });
});

describe('a connection that breaks before a statement is written', () => {
  it('does not send it on the next one, which begins with its login and works', async () => {
    const sockets: ReturnType<typeof createFakeSocket>[] = [];
    const socket = async () => {
      sockets.push(createFakeSocket());
      return sockets.at(-1);
    };
    const db = postgres({ user: 'someone', socket, max: 1, fetch_types: false, backoff: 0 } as object);
    expect([...(await db`SELECT 1 AS one`)]).toEqual([{ one: '1' }]);

    const unwritten = db`SELECT 2 AS two`.catch((error) => error);
    await Promise.resolve();
    await Promise.resolve();
    sockets[0]?.emit('close', false);
    expect(isDatabaseUnavailable(await unwritten)).toBe(true);
    expect([...(await db`SELECT 1 AS one`)]).toEqual([{ one: '1' }]);
    expect(sockets).toHaveLength(2);
    // The protocol version, 3.0, after the length of the login.
    expect(sockets[1]?.written[0]?.readInt32BE(4)).toBe(3 << 16);
    await db.end({ timeout: 0 });
  });
});

describe('a connection that breaks with an error', () => {
  it('fails its statements before it is closed, and leaves none to the next one', async () => {
    const sockets: ReturnType<typeof createFakeSocket>[] = [];
    const socket = async () => {
      sockets.push(createFakeSocket());
      return sockets.at(-1);
    };
    const db = postgres({ user: 'someone', socket, max: 1, fetch_types: false, backoff: 0 } as object);
    expect([...(await db`SELECT 1 AS one`)]).toEqual([{ one: '1' }]);

    const broken = Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' });
    const running = db`SELECT 1 AS one`.catch((error) => error);
    await Promise.resolve();
    await Promise.resolve();
    sockets[0]?.emit('error', broken);
    expect(isDatabaseUnavailable(await running)).toBe(true);
    const between = db`SELECT 1 AS one`.catch((error) => error);
    await Promise.resolve();
    await Promise.resolve();
    sockets[0]?.emit('close', true);
    expect(isDatabaseUnavailable(await between)).toBe(true);
    expect([...(await db`SELECT 1 AS one`)]).toEqual([{ one: '1' }]);
    await db.end({ timeout: 0 });
  });
});

describe('a server that closes the connection during the login', () => {
  it('is an error of the statement, and is not retried for ever', async () => {
    let calls = 0;
    const server = createServer((socket: Socket) => {
      calls += 1;
      socket.on('error', () => undefined).once('data', () => socket.end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const target = `postgres://someone:secret@127.0.0.1:${port}/paydesk`;
    const db = connect({ target, poolSize: 1, serverVersion: 180_000 });
    const errors = [await db`SELECT 1`.catch((error) => error), await db`SELECT 1`.catch((error) => error)];
    expect(errors.map(isDatabaseUnavailable)).toEqual([true, true]);
    expect(calls).toBe(2);
    await db.end({ timeout: 1 });
    server.close();
  });
});
