import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { claimSchedules } from './schedules/schedules.worker.queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
beforeEach(async () => {
  await database.owner`TRUNCATE schedules`;
  await database.owner`
    INSERT INTO schedules (name, next_at) SELECT name, now() - make_interval(secs => age)
    FROM (VALUES ('first', 3), ('second', 2), ('third', 1)) AS jobs (name, age)`;
});
afterAll(async () => database?.drop());

const INTERVALS = { first: 3_600, second: 3_600, third: 3_600 };

async function claim(limit: number): Promise<string[]> {
  const claimed = await claimSchedules(database.db, { lease: randomUUID(), intervals: INTERVALS, limit });
  return claimed.map(({ name }) => name).sort();
}

it('a claim takes the jobs that are due for longest, and each job once', async () => {
  expect(await claim(2)).toEqual(['first', 'second']);
  expect(await claim(2)).toEqual(['third']);
  expect(await claim(2)).toEqual([]);
});

it('a claim passes over a job that another process is claiming at this moment, and does not wait for it', async () => {
  await database.owner.begin(async (tx) => {
    await tx`SELECT FROM schedules WHERE name = 'first' FOR UPDATE`;
    expect(await claim(1)).toEqual(['second']);
  });
  expect(await claim(3)).toEqual(['first', 'third']);
});

it('a job that is claimed is due again when its lease has ended, and not before', async () => {
  await claim(3);
  await database.owner`UPDATE schedules SET leased_until = now() - interval '1 second' WHERE name = 'second'`;
  expect(await claim(3)).toEqual(['second']);
  // The database's clock was set back.
  await database.owner`UPDATE schedules SET leased_until = now() + interval '2 days' WHERE name = 'third'`;
  expect(await claim(3)).toEqual(['third']);
});
