import { connect as connectSocket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../../test/harness/database/database.ts';
import { type Db, databaseErrorCode, transaction } from '../database.ts';
import { APPLICATION_ROLE } from '../pool.ts';
import { postgres } from './driver.ts';

let database: TestDatabase;
let db: Db;
/** The packets that were written to the one connection of `db`. */
let writes: Buffer[] = [];
beforeAll(async () => {
  database = await cloneDatabase({ poolSize: 1 });
  const { host, port, application } = inject('databaseServer');
  const socket = () => {
    const opened = connectSocket(`${host}/.s.PGSQL.${port}`);
    const write = opened.write.bind(opened);
    const recorded = (bytes: Buffer) => {
      writes.push(bytes);
      return write(bytes);
    };
    return new Promise((resolve) => opened.once('connect', () => resolve(Object.assign(opened, { write: recorded }))));
  };
  const options = {
    ...application,
    database: database.name,
    socket,
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
  };
  db = postgres(options as object);
  await database.owner.unsafe(
    `CREATE TABLE numbers (number integer PRIMARY KEY); GRANT SELECT, INSERT, DELETE ON numbers TO ${APPLICATION_ROLE}`,
  );
});
afterAll(async () => {
  await db.end({ timeout: 1 });
  await database.drop();
});
beforeEach(async () => {
  await db`DELETE FROM numbers`;
  writes = [];
});

const insert = (tx: (text: TemplateStringsArray, ...values: number[]) => Promise<unknown>, number: number) =>
  tx`INSERT INTO numbers VALUES (${number})`;
const stored = async () =>
  (await db<{ number: number }[]>`SELECT number FROM numbers ORDER BY number`).map((row) => row.number);
const outcomeOf = (statement: Promise<unknown>) => statement.then(() => 'done', databaseErrorCode);

describe('statements of a transaction that are sent together', () => {
  it('are written together with its BEGIN, and answered at once: a transaction waits twice', async () => {
    const work = () => transaction(db, (tx) => Promise.all([insert(tx, 1), insert(tx, 2), tx`DELETE FROM numbers`]));
    await work();
    writes = [];
    await work();
    expect(writes).toHaveLength(2);
    const syncs = writes.map((bytes) => bytes.subarray(-5).toString('latin1'));
    expect(syncs).toEqual(['S\0\0\0\x04', 'S\0\0\0\x04']);
  });

  it('are each answered or refused: what stands before an error keeps its answer, what stands behind it is skipped', async () => {
    const ends: unknown[] = [];
    const work = transaction(db, async (tx) => {
      ends.push(...(await Promise.all([1, 2, 1, 3].map((number) => outcomeOf(insert(tx, number))))));
      ends.push(await outcomeOf(insert(tx, 4)));
    });
    expect(await outcomeOf(work)).toBe('23505');
    expect(ends).toEqual(['done', 'done', '23505', '25P02', '25P02']);
    expect(await stored()).toEqual([]);
  });

  it('may be new to the connection, empty, or simple: each has its own answer, in order', async () => {
    const answers = await transaction(db, (tx) =>
      Promise.all([
        insert(tx, 5),
        tx.unsafe('', [], { prepare: true }),
        tx`SELECT count(*)::int AS first, ${'a'}::text AS text FROM numbers`,
        tx.unsafe('SELECT 1 AS one; SELECT 2 AS two'),
        insert(tx, 6),
        tx`SELECT count(*)::int AS last FROM numbers`,
      ]),
    );
    const rows = answers.map((answer) => JSON.parse(JSON.stringify(answer)));
    expect(rows).toEqual([[], [], [{ first: 1, text: 'a' }], [[{ one: 1 }], [{ two: 2 }]], [], [{ last: 2 }]]);
    expect(await stored()).toEqual([5, 6]);
  });

  it('are sent in the order in which they were asked for, although some had to wait for BEGIN', async () => {
    const counts = await transaction(db, async (tx) => {
      await setImmediate();
      const count = () => tx<[{ count: number }]>`SELECT count(*)::int FROM numbers`.then(([row]) => row.count);
      const asked = [];
      for (let number = 0; number < 5; number += 1) {
        asked.push(
          insert(tx, number).then(() => number),
          count(),
        );
        if (number % 2 === 1) await setImmediate();
      }
      return Promise.all(asked);
    });
    expect(counts).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5]);
  });
});

describe('a BEGIN that fails', () => {
  const failing = (work: (tx: Db) => Promise<unknown>) =>
    db.begin('isolation level none', (tx) => work(tx as unknown as Db)) as Promise<unknown>;

  it('lets nothing run that was sent with it, or asked for later', async () => {
    const late = Promise.withResolvers<unknown>();
    const work = failing(async (tx) => {
      const sent = Promise.allSettled([insert(tx, 1), insert(tx, 2)]);
      await setImmediate();
      late.resolve(outcomeOf(insert(tx, 3)));
      await sent;
      await outcomeOf(insert(tx, 4));
    });
    expect(await outcomeOf(work)).toBe('42601');
    expect(await late.promise).toBe('42601');
    expect(await stored()).toEqual([]);
  });

  it.each([
    ['that is new to the connection', (tx: Db) => tx`INSERT INTO numbers SELECT ${7}::integer AS never_sent_before`],
    ['that is simple', (tx: Db) => tx.unsafe('INSERT INTO numbers VALUES (8)')],
  ])('lets no statement run %s', async (_kind, statement) => {
    const ends: unknown[] = [];
    const work = failing(async (tx) => {
      ends.push(...(await Promise.all([statement(tx), insert(tx, 9)].map(outcomeOf))));
    });
    expect(await outcomeOf(work)).toBe('42601');
    expect([await stored(), ends]).toEqual([[], ['42601', '42601']]);
  });

  it('leaves the connection to the next transaction, which nobody else ends', async () => {
    const next = () =>
      transaction(db, async (tx) => {
        await insert(tx, 1);
        await setImmediate();
        await insert(tx, 2);
      });
    const both = await Promise.all([outcomeOf(failing((tx) => insert(tx, 9))), outcomeOf(next())]);
    expect(both).toEqual(['42601', 'done']);
    expect(await stored()).toEqual([1, 2]);
  });
});
