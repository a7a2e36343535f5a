import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../../test/harness/database/database.ts';
import { repeatEvery } from '../../background/background.ts';
import type { Db } from '../../database/database.ts';
import { type Question, untilDue, whenDue } from './due.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await database.owner`CREATE TABLE kinds (kind text)`;
  await database.owner`GRANT SELECT ON kinds TO ${database.owner((await roleOf(database.db)) as string)}`;
});
beforeEach(async () => void (await database.owner`TRUNCATE kinds`));
afterAll(async () => database?.drop());

async function roleOf(db: Db): Promise<string | undefined> {
  const [row] = await db<{ role: string }[]>`SELECT current_user AS role`;
  return row?.role;
}

const isThere = (name: string): Question => ({
  name,
  isDue: (db) => db`EXISTS (SELECT FROM kinds WHERE kind = ${name})`,
});
const NEVER = new AbortController().signal;

/** The pool, and the statements that were sent with it. */
function counting(db: Db): { db: Db; sent: () => number } {
  let sent = 0;
  const counted = new Proxy(db, {
    apply: (target, self, values) => {
      if (String((values[0] as readonly string[])[0]).startsWith('SELECT true')) sent += 1;
      return Reflect.apply(target, self, values);
    },
  });
  return { db: counted, sent: () => sent };
}

it('what is due wakes whoever waits for it, and nobody else', async () => {
  const woken: string[] = [];
  const over = new AbortController();
  const waiting = ['one', 'two', 'three'].map(async (name) => {
    if (await untilDue(database.db, isThere(name), over.signal)) woken.push(name);
  });
  await database.owner`INSERT INTO kinds VALUES ('two')`;
  await waiting[1];
  expect(woken).toEqual(['two']);
  over.abort();
  await Promise.all(waiting);
  expect(woken).toEqual(['two']);
});

it('all that is waited for is one statement', async () => {
  const { db, sent } = counting(database.db);
  await database.owner`INSERT INTO kinds VALUES ('one'), ('two'), ('three')`;
  await Promise.all(['one', 'two', 'three'].map((name) => untilDue(db, isThere(name), NEVER)));
  expect(sent()).toBe(1);
});

it('nothing is asked while nobody waits', async () => {
  const { db, sent } = counting(database.db);
  const over = new AbortController();
  const waiting = untilDue(db, isThere('one'), over.signal);
  over.abort();
  expect(await waiting).toBe(false);
  expect(await untilDue(db, isThere('one'), over.signal)).toBe(false);
  await database.owner`INSERT INTO kinds VALUES ('one')`;
  expect(await untilDue(db, isThere('one'), NEVER)).toBe(true);
  expect(sent()).toBe(1);
});

it('work is repeated while it is due, and again when it is due later', async () => {
  const { promise: third, resolve } = Promise.withResolvers<void>();
  let times = 0;
  const worker = repeatEvery({
    work: async () => {
      times += 1;
      if (times === 2) await database.owner`DELETE FROM kinds`;
      if (times === 3) resolve();
    },
    logFailure: () => undefined,
    ...whenDue(database.db, isThere('work'), 500),
  });
  expect(times).toBe(0);
  await database.owner`INSERT INTO kinds VALUES ('work')`;
  while ((await database.owner`SELECT FROM kinds`).length > 0);
  expect(times).toBe(2);
  await database.owner`INSERT INTO kinds VALUES ('work')`;
  await third;
  await worker.stop();
});

it('a database that does not answer wakes everybody, so that each says what is wrong', async () => {
  const broken: Question = { name: 'broken', isDue: (db) => db`(SELECT true FROM no_such_table)` };
  const woken = await Promise.all([
    untilDue(database.db, broken, NEVER),
    untilDue(database.db, isThere('nothing'), NEVER),
  ]);
  expect(woken).toEqual([true, true]);
});
