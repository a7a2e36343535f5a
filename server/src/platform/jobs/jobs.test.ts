import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import type { Job } from '../background/background.ts';
import { createLogger } from '../logging/logger.ts';
import { JOBS_SCHEMA, startJobs } from './jobs.service.ts';
import { executeForJobs } from './jobs.worker.queries.ts';

let database: TestDatabase;
const lines: string[] = [];
const log = createLogger('trace', { write: (line: string) => void lines.push(line) });
const started: { stop: () => Promise<void> }[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
});
afterAll(async () => database.drop());

function start(...jobs: Job[]) {
  const handle = startJobs({ db: database.db, jobs, startAfterMs: 0 }, log);
  started.push(handle);
  return handle;
}

const openBoss = (db = database.db) =>
  new PgBoss({
    schema: JOBS_SCHEMA,
    migrate: false,
    db: { executeSql: (text, values) => executeForJobs(db, text, values) },
  });

it('the migrations make the schema that the installed pg-boss expects', async () => {
  const boss = openBoss(database.owner);
  expect(await boss.detectSchemaDrift()).toMatchObject({ ok: true });
  await boss.start();
  await boss.stop({ close: false });
});

it('a job runs once at its start, in one of the processes, and is in the schedule', async () => {
  const done: string[] = [];
  const job = (process: string): Job => ({
    name: 'once',
    cron: '*/15 * * * *',
    work: async () => void done.push(process),
  });
  start(job('one'));
  await pollUntil(
    async () => done.length,
    (times) => times === 1,
  );
  const schedules = await database.db`SELECT name, cron, timezone FROM paydesk_jobs.schedule WHERE name = 'once'`;
  expect(schedules).toEqual([{ name: 'once', cron: '*/15 * * * *', timezone: 'UTC' }]);
});

it('failures are logged and retried', async () => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries === 1) throw new Error('out of order');
  };
  start({ name: 'failing', cron: '0 0 1 1 *', work });
  const state = async () => {
    const rows = await database.db<
      { state: string }[]
    >`SELECT state FROM paydesk_jobs.job WHERE name = 'failing' ORDER BY created_on`;
    return rows[0]?.state;
  };
  await pollUntil(state, (now) => now === 'retry');
  expect(lines.join('')).toContain('a job failed; it will be retried');
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
  start({ name: 'failing', cron: '0 0 1 1 *', work });
  await pollUntil(state, (now) => now === 'completed');
  expect(tries).toBeGreaterThan(1);
});

it('a stop aborts the running job, and waits for it', async () => {
  let ended = false;
  let begun = false;
  const work = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      begun = true;
      signal.addEventListener('abort', () => {
        ended = true;
        resolve();
      });
    });
  const jobs = start({ name: 'long', cron: '0 0 1 1 *', work });
  await pollUntil(
    async () => begun,
    (now) => now,
  );
  await jobs.stop();
  expect(ended).toBe(true);
});

it('statements work as pg-boss means them: arrays, JSON, and scripts that are one transaction', async () => {
  const { db } = database;
  const names = ['a', 'b"\\, {c}', null];
  const { rows } = await executeForJobs(db, 'SELECT unnest($1::text[]) AS name', [names]);
  expect(rows).toEqual(names.map((name) => ({ name })));
  const json = await executeForJobs(db, "SELECT $1::jsonb ->> 'a' AS text, $2::json AS object", [
    '{"a":"b"}',
    { c: 1 },
  ]);
  expect(json.rows).toEqual([{ text: 'b', object: { c: 1 } }]);
  const script = 'BEGIN; CREATE TEMP TABLE scripted (id int); INSERT INTO scripted VALUES (1); SELECT 1 / 0; COMMIT;';
  await expect(executeForJobs(db, script)).rejects.toThrow('division by zero');
  const left = await executeForJobs(db, "SELECT count(*)::int FROM pg_class WHERE relname = 'scripted'");
  expect(left.rows).toEqual([{ count: 0 }]);
});
