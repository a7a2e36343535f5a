/** Sends statements of all kinds on shared connections while connections are killed. Each has a nonce that its answer must contain. */
import { randomBytes } from 'node:crypto';
import {
  type Db,
  databaseErrorCode,
  isDatabaseUnavailable,
  transaction,
} from '../../src/platform/database/database.ts';
import { APPLICATION_ROLE } from '../../src/platform/database/pool.ts';
import { ApiError } from '../../src/platform/errors.ts';
import { createRandom } from '../chaos/chaos.ts';

const LANES = 24;
const STATEMENTS_A_KILL = 800;
const SETTLED_WITHIN_MS = 30_000;

export type TortureReport = {
  /** How often each kind of statement was sent. */
  sent: Record<string, number>;
  /** How many ended as expected, expected errors included, and how many were lost with their connection. */
  right: number;
  lost: number;
  kills: number;
  /** What was wrong: an answer or an error of another statement, or no answer at all. */
  mixedUp: string[];
};

type Random = (below: number) => number;
type Statement = { db: Db; nonce: string; random: Random };
/** Sends one statement, or several that belong together. Resolves to what is wrong with the answer, or to null. */
type Kind = (statement: Statement) => Promise<string | null>;

/** Creates the tables that the statements use. Must be called once for each database, as its owner. */
export async function prepareTorture(owner: Db): Promise<void> {
  await owner.unsafe(`
    CREATE TABLE torture (nonce text NOT NULL, part integer NOT NULL, PRIMARY KEY (nonce, part));
    CREATE TABLE torture_shifting (flag boolean NOT NULL, bytes bytea NOT NULL, nonce text NOT NULL);
    GRANT SELECT, INSERT, DELETE ON torture, torture_shifting TO ${APPLICATION_ROLE}`);
}

/** Sends this many statements over all of the pools at once. @param seed - repeats the choices of an earlier run */
export async function torture(
  { pools, owner }: { pools: readonly Db[]; owner: Db },
  { statements, seed }: { statements: number; seed: number },
): Promise<TortureReport> {
  const report: TortureReport = { sent: {}, right: 0, lost: 0, kills: 0, mixedUp: [] };
  const random = createRandom(seed);
  const below: Random = (bound) => Math.floor(random() * bound);
  const names = Object.keys(KINDS).flatMap((name) => Array<string>(SLOW.has(name) ? 1 : 10).fill(name));
  let count = 0;
  const lane = async () => {
    while (count < statements) {
      count += 1;
      if (count % STATEMENTS_A_KILL === 0) await disturb(owner, report, below);
      const name = names[below(names.length)] ?? '';
      report.sent[name] = (report.sent[name] ?? 0) + 1;
      const db = pools[below(pools.length)] as Db;
      await sendOne(name, { db, nonce: `n${randomBytes(9).toString('hex')}`, random: below }, report);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return report;
}

async function sendOne(name: string, statement: Statement, report: TortureReport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, SETTLED_WITHIN_MS, 'no answer');
  });
  try {
    const wrong = await Promise.race([KINDS[name]?.(statement) ?? 'no such kind', silence]);
    if (wrong === null) report.right += 1;
    else report.mixedUp.push(`${name}: ${wrong}`);
  } catch (error) {
    // A pool whose connections were killed may be busy. A cancellation may reach the next statement, because the protocol can only name a
    // connection.
    if (isDatabaseUnavailable(error) || error instanceof ApiError) report.lost += 1;
    else report.mixedUp.push(`${name}: ${String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Kills one of the server's processes, or changes a table that prepared statements use. */
async function disturb(owner: Db, report: TortureReport, random: Random): Promise<void> {
  report.kills += 1;
  if (report.kills % 4 === 0) {
    const column = `c${report.kills}`;
    await owner.unsafe(
      `ALTER TABLE torture_shifting ADD COLUMN ${column} integer; ALTER TABLE torture_shifting DROP COLUMN ${column}`,
    );
    return;
  }
  await owner`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = ${APPLICATION_ROLE} ORDER BY pid OFFSET ${random(6)} LIMIT 1`;
}

/** Checks that there are this many rows, each with the nonce. @returns what is wrong, or null */
function checkRows(
  rows: readonly ({ nonce?: unknown; n?: unknown } | undefined)[],
  nonce: string,
  length: number,
): string | null {
  if (rows.length !== length) return `${rows.length} rows instead of ${length}`;
  for (let index = 0; index < length; index += 1) {
    const row = rows[index];
    if (row?.nonce !== nonce || Number(row.n) !== index + 1) return `row ${index} is ${JSON.stringify(row)}`;
  }
  return null;
}

/** Checks that the error has this SQLSTATE and contains the nonce. @returns what is wrong, or null */
function checkError(result: unknown, nonce: string, code: string): string | null {
  if (!(result instanceof Error)) return 'an answer instead of an error';
  if (isDatabaseUnavailable(result) && code !== databaseErrorCode(result)) throw result;
  const text = `${result.message} ${'detail' in result ? String(result.detail) : ''}`;
  return databaseErrorCode(result) === code && text.includes(nonce) ? null : `another's error: ${text}`;
}

/** These statements wait, so they are sent a tenth as often as the others. */
const SLOW = new Set(['a timeout behind rows', 'a cancellation']);

const settled = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => value,
    (error) => error,
  );

const KINDS: Record<string, Kind> = {
  rows: async ({ db, nonce, random }) => {
    const length = random(40);
    return checkRows(await db`SELECT ${nonce} AS nonce, n FROM generate_series(1, ${length}::int) AS n`, nonce, length);
  },
  'wide rows': async ({ db, nonce }) => {
    const rows = await db<{ nonce: string; n: number }[]>`
      SELECT repeat(${nonce}, 300) AS nonce, n FROM generate_series(1, 30) AS n`;
    return checkRows(rows, nonce.repeat(300), 30);
  },
  'unprepared rows': async ({ db, nonce }) =>
    checkRows(await db.unsafe(`SELECT '${nonce}' AS nonce, n FROM generate_series(1, 3) AS n`), nonce, 3),
  'several statements': async ({ db, nonce }) => {
    const results = await db.unsafe(
      `SELECT '${nonce}' AS nonce, 1 AS n; SELECT '${nonce}' AS nonce, n FROM generate_series(1, 2) AS n`,
    );
    const [first = [], second = []] = results as unknown as { nonce: string; n: number }[][];
    return checkRows(first, nonce, 1) ?? checkRows(second, nonce, 2);
  },
  'an error behind rows': async ({ db, nonce, random }) => {
    const bad = 1 + random(400);
    const query = db`
      SELECT repeat('x', 40), CASE WHEN n = ${bad}::int THEN ${nonce}::int ELSE n END FROM generate_series(1, 400) AS n`;
    return checkError(await settled(query), nonce, '22P02');
  },
  'an error behind rows of several statements': async ({ db, nonce }) => {
    const query = db.unsafe(`
      SELECT n FROM generate_series(1, 5) AS n;
      SELECT CASE WHEN n = 7 THEN '${nonce}'::text ELSE '1' END::int FROM generate_series(1, 9) AS n`);
    return checkError(await settled(query), nonce, '22P02');
  },
  'a table that is not there': async ({ db, nonce }) =>
    checkError(await settled(db.unsafe(`SELECT * FROM ${nonce} WHERE $1 = 1`, [1], { prepare: true })), nonce, '42P01'),
  'a value that cannot be written': async ({ db, nonce }) => {
    const unwritable = {
      toString: () => {
        throw new Error(nonce);
      },
    } as unknown as string;
    const result = await settled(db`SELECT ${unwritable}::text AS nonce`);
    if (isDatabaseUnavailable(result)) throw result;
    return result instanceof Error && result.message === nonce ? null : `not its own error: ${String(result)}`;
  },
  'a value that is missing': async ({ db }) => {
    const result = await settled(db`SELECT ${undefined as unknown as string}::text AS nonce`);
    return databaseErrorCode(result) === 'UNDEFINED_VALUE' ? null : `not its own error: ${String(result)}`;
  },
  'a timeout behind rows': async ({ db, nonce }) => {
    const work = transaction(db, async (tx) => {
      await tx`SET LOCAL statement_timeout = 15`;
      return tx`SELECT ${nonce} AS nonce, CASE WHEN n > 300 THEN pg_sleep(1)::text END FROM generate_series(1, 400) AS n`;
    });
    return databaseErrorCode(await settled(work)) === undefined ? 'no timeout' : null;
  },
  'a cancellation': async ({ db, nonce, random }) => {
    const query = db<
      { nonce: string; n: number }[]
    >`SELECT ${nonce} AS nonce, n, pg_sleep(0.001) FROM generate_series(1, 20) AS n`;
    const result = settled(query);
    await new Promise((resolve) => setTimeout(resolve, random(15)));
    query.cancel();
    const ended = await result;
    if (ended instanceof Error) return databaseErrorCode(ended) === '57014' ? null : rethrow(ended);
    return checkRows(ended as { nonce: string; n: number }[], nonce, 20);
  },
  'a transaction': async ({ db, nonce, random }) => {
    const fails = random(3) === 0;
    const work = transaction(db, async (tx) => {
      const inserted = await tx`INSERT INTO torture SELECT ${nonce}, n FROM generate_series(1, 4) AS n`;
      const rows = await tx`SELECT nonce, part AS n FROM torture WHERE nonce = ${nonce} ORDER BY part`;
      if (fails) await tx`INSERT INTO torture VALUES (${nonce}, 1)`;
      return inserted.count === 4 ? checkRows(rows, nonce, 4) : `${inserted.count} rows were written`;
    });
    return fails ? checkError(await settled(work), nonce, '23505') : await work;
  },
  'a statement that is prepared anew': async ({ db, nonce, random }) => {
    const flag = random(2) === 0;
    const bytes = Buffer.from(nonce);
    await db`INSERT INTO torture_shifting (flag, bytes, nonce) VALUES (${flag}, ${bytes}, ${nonce})`;
    const rows = await db`
      SELECT *, ${flag}::bool AS "sameFlag", ${bytes}::bytea AS "sameBytes" FROM torture_shifting WHERE nonce = ${nonce}`;
    const [row] = rows;
    const isRight = row?.nonce === nonce && row.flag === flag && row.sameFlag === flag && bytes.equals(row.bytes);
    return isRight && bytes.equals(row.sameBytes) ? null : `another row: ${JSON.stringify(rows)}`;
  },
};

function rethrow(error: Error): never {
  throw error;
}
