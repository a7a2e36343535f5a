import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../../test/harness/database/database.ts';
import { type Db, databaseErrorCode } from '../database.ts';
import { APPLICATION_ROLE } from '../pool.ts';

/** One connection, so that statements are pipelined. */
let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await cloneDatabase({ poolSize: 1 });
  db = database.db;
  await database.owner.unsafe(`
    CREATE TABLE shifting (id integer PRIMARY KEY, flag boolean NOT NULL, bytes bytea NOT NULL);
    INSERT INTO shifting VALUES (1, true, 'abc');
    GRANT SELECT, INSERT ON shifting TO ${APPLICATION_ROLE}`);
});
afterAll(async () => database.drop());

const codeOf = (promise: Promise<unknown>) => promise.then(() => 'answered', databaseErrorCode);
const select = (text: string) =>
  db<{ text: string }[]>`SELECT ${text} AS text`.then((rows) => rows.map((row) => row?.text));

// Security (A database that is away, or slow): After each kind of failure, the next statement on the connection gets its own answer
describe('on one connection, each statement gets its own complete answer', () => {
  it('after a statement that failed after its first rows', async () => {
    expect(await codeOf(db`SELECT 1 / (40 - n) FROM generate_series(1, 50) AS n`)).toBe('22012');
    expect(await select('mine')).toEqual(['mine']);
    const several = db.unsafe(
      'SELECT n FROM generate_series(1, 7) AS n; SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n',
    );
    expect(await codeOf(several)).toBe('22012');
    expect([...(await db`SELECT n FROM generate_series(1, 2) AS n`)]).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('beside a statement with a value that can’t be serialized, or is missing', async () => {
    const outcomes = await Promise.all([
      db`SELECT pg_sleep(0.05), 'first' AS text`.then(([row]) => row?.text),
      codeOf(db`SELECT ${undefined as unknown as string}::text`),
      select('second'),
      db`SELECT ${new Date(Number.NaN)}::timestamptz`.catch((error) => error.name),
      select('third'),
    ]);
    expect(outcomes).toEqual(['first', 'UNDEFINED_VALUE', ['second'], 'RangeError', ['third']]);
  });

  it('beside a statement that was canceled while it waited', async () => {
    const first = db`SELECT pg_sleep(0.05), 'first' AS text`.then(([row]) => row?.text);
    const canceled = db`SELECT pg_sleep(20), 'canceled' AS text`;
    const ended = codeOf(canceled);
    const last = select('last').catch(databaseErrorCode);
    await new Promise((resolve) => setImmediate(resolve));
    canceled.cancel();
    expect([await first, await ended]).toEqual(['first', '57014']);
    // PostgreSQL cancels whatever the connection runs when the request arrives.
    expect([['last'], '57014']).toContainEqual(await last);
    expect(await select('after')).toEqual(['after']);
  });

  it('in a transaction that sends many at once; when one fails, nothing of them stays', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const answers = await db.begin((tx) => Promise.all(numbers.map((number) => tx`SELECT ${number}::int AS number`)));
    expect(answers.map(([row]) => row?.number)).toEqual(numbers);
    const insertAll = (ids: number[]) =>
      db.begin((tx) => Promise.all(ids.map((id) => tx`INSERT INTO shifting VALUES (${id}, true, 'abc')`)));
    expect(await codeOf(insertAll([2, 3, 4, 1, 5, 6, 7]))).toBe('23505');
    expect([...(await db`SELECT id FROM shifting`)]).toEqual([{ id: 1 }]);
  });

  it('when it is canceled before it is sent', async () => {
    const other = await cloneDatabase({ poolSize: 1 });
    const canceled = other.db`SELECT 'canceled' AS text`;
    const ended = codeOf(canceled);
    canceled.cancel();
    expect(await ended).toBe('57014');
    expect([...(await other.db`SELECT 'next' AS text`)]).toEqual([{ text: 'next' }]);
    const late = other.db`SELECT 'late' AS text`;
    const lateEnded = codeOf(late);
    late.cancel();
    expect(await lateEnded).toBe('57014');
    expect([...(await other.db`SELECT 'last' AS text`)]).toEqual([{ text: 'last' }]);
    await other.drop();
  });
});

describe('a statement whose table was changed since it was prepared', () => {
  const read = (flag: boolean, bytes: Buffer) => db`
    SELECT *, ${flag}::boolean AS "sameFlag", ${bytes}::bytea AS "sameBytes" FROM shifting WHERE flag = ${flag}`;
  const change = (column: string) => database.owner.unsafe(`ALTER TABLE shifting ADD COLUMN ${column} integer`);

  it('is prepared again with the same values', async () => {
    const bytes = Buffer.from('bytes');
    await read(true, bytes);
    await change('one');
    const [row] = await read(true, bytes);
    expect(row).toMatchObject({ id: 1, flag: true, one: null, sameFlag: true, sameBytes: bytes });
  });

  it('gets its own answer, and others get theirs', async () => {
    const bytes = Buffer.from('bytes');
    const repeated = () => db`SELECT 'beside' AS text`.then(([row]) => row?.text);
    await Promise.all([read(true, bytes), repeated()]);
    await change('two');
    const outcomes = await Promise.all([
      read(true, bytes).then(([row]) => row?.id),
      repeated().then(async (text) => [text, await repeated(), await repeated()]),
    ]);
    expect(outcomes).toEqual([1, ['beside', 'beside', 'beside']]);
  });
});
