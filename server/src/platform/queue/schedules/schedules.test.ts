import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { pollUntil } from '../../../../test/customers/accounts.ts';
import { cloneDatabase, type TestDatabase } from '../../../../test/harness/database/database.ts';
import { createLogger } from '../../logging/logger.ts';
import { PROCESS_ID } from '../../processes/processes.service.ts';
import { recordHeartbeat } from '../../processes/processes.worker.queries.ts';
import { releaseLeasesOfDead } from '../releasing.ts';
import { type Schedule, startSchedules } from './schedules.ts';
import { claimSchedules, SCHEDULE_JOBS } from './schedules.worker.queries.ts';

const DAY_SECONDS = 24 * 60 * 60;

let database: TestDatabase;
const lines: string[] = [];
const log = createLogger('trace', { write: (line: string) => void lines.push(line) });
const started: { stop: () => Promise<void> }[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
});
beforeEach(async () => void (await database.owner`TRUNCATE schedules, job_failures, processes`));
afterEach(stopAll);
afterAll(async () => database?.drop());

async function stopAll(): Promise<void> {
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
}

function start(work: Schedule['work'], name = 'nightly', everySeconds = DAY_SECONDS) {
  const worker = startSchedules(database.db, [{ name, everySeconds, work }], log);
  started.push(worker);
  return worker;
}

type Row = { nextInSeconds: number; isAtMidnight: boolean; attempts: number; hasRun: boolean; isClaimed: boolean };

async function read(name = 'nightly'): Promise<Row | undefined> {
  const [row] = await database.owner<Row[]>`
    SELECT extract(epoch FROM next_at - now())::float AS "nextInSeconds",
           extract(epoch FROM next_at)::bigint % ${DAY_SECONDS} = 0 AS "isAtMidnight",
           attempts, last_run_at IS NOT NULL AS "hasRun", lease IS NOT NULL AS "isClaimed"
    FROM schedules WHERE name = ${name}`;
  return row;
}

const claim = (intervals: Record<string, number> = { nightly: DAY_SECONDS }) =>
  claimSchedules(database.db, { lease: randomUUID(), intervals, limit: 10 });

it('scheduled work runs at the start, in one of the processes, and then at the multiples of its interval', async () => {
  const done: string[] = [];
  await database.owner`INSERT INTO schedules (name) VALUES ('nightly')`;
  const claims = await Promise.all([claim(), claim(), claim()]);
  expect(claims.map(({ length }) => length).sort()).toEqual([0, 0, 1]);
  await database.owner`UPDATE schedules SET lease = NULL, leased_until = NULL`;

  start(async () => void done.push('nightly'));
  const row = await pollUntil(read, (now) => now?.hasRun === true);
  expect(row).toMatchObject({ isAtMidnight: true, attempts: 0, isClaimed: false });
  expect(row?.nextInSeconds).toBeGreaterThan(0);
  expect(done).toEqual(['nightly']);
  await database.owner`UPDATE schedules SET next_at = now()`;
  await pollUntil(
    async () => done.length,
    (times) => times === 2,
  );
});

it('work that fails is logged and repeated with growing delays, until it succeeds', async () => {
  let isBroken = true;
  let tries = 0;
  start(async () => {
    tries += 1;
    if (isBroken) throw new RangeError('out of order');
  });
  const delays: number[] = [];
  for (const attempts of [1, 2, 3]) {
    const row = await pollUntil(read, (now) => now?.attempts === attempts);
    delays.push(Math.ceil((row?.nextInSeconds ?? 0) / 30) * 30);
    if (attempts === 3) isBroken = false;
    await database.owner`UPDATE schedules SET next_at = now()`;
  }
  expect(delays).toEqual([30, 60, 120]);
  expect(lines.join('')).toContain('scheduled work has failed; Paydesk tries again');
  expect(await pollUntil(read, (now) => now?.hasRun === true)).toMatchObject({ attempts: 0 });
  expect(tries).toBe(4);
});

it('work of a process that died is due again at once', async () => {
  const other = randomUUID();
  await database.owner`INSERT INTO schedules (name) VALUES ('nightly')`;
  expect(await claim()).toHaveLength(1);
  await database.owner`UPDATE schedules SET process_id = ${other}`;
  expect(await claim()).toEqual([]);
  await recordHeartbeat(database.db, PROCESS_ID);
  await database.owner`INSERT INTO processes (id, seen_at) VALUES (${other}, now() - interval '10 seconds')`;
  await releaseLeasesOfDead(database.db, [SCHEDULE_JOBS], log);
  expect(await claim()).toHaveLength(1);
});

it.each([
  ['after the database’s clock was set back', 'nightly', '2 days', 1],
  ['before its time', 'nightly', '23 hours', 0],
  ['if another version of the service has it', 'unknown', '-1 hours', 0],
])('work %s: %s in %s, claimed: %d', async (_, name, nextIn, claimed) => {
  await database.owner`INSERT INTO schedules (name, next_at) VALUES (${name}, now() + ${nextIn}::text::interval)`;
  expect(await claim()).toHaveLength(claimed);
});

it('a stop ends the running work, and waits for it', async () => {
  let ended = false;
  const begun = Promise.withResolvers<void>();
  const worker = start(
    (signal) =>
      new Promise<void>((resolve) => {
        begun.resolve();
        signal.addEventListener('abort', () => {
          ended = true;
          resolve();
        });
      }),
  );
  await begun.promise;
  await worker.stop();
  expect(ended).toBe(true);
  expect(await read()).toMatchObject({ isClaimed: false });
});
