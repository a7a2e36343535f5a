import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../../../test/customers/actors.ts';
import { expectMetric } from '../../../test/harness/metrics.ts';
import { eventually } from '../../../test/harness/process.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import type { Job } from '../background/background.ts';
import { startJobs } from './jobs.service.ts';

let service: TestService;
const started: { stop: () => Promise<void> }[] = [];
beforeAll(async () => {
  service = await startTestService();
});
afterEach(stopJobs);
afterAll(async () => service?.stop());

async function stopJobs(): Promise<void> {
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
}

function start(name: string, work: Job['work']): void {
  const job = { name, cron: '0 0 1 1 *', work };
  started.push(startJobs({ db: service.database.db, jobs: [job], startAfterMs: 0 }, service.server.log));
}

async function list(query: string) {
  const token = service.operatorKey;
  return expectStatus(await service.call('GET', `/operator/jobs?${query}`, { token }), 200).body;
}

const retry = (id: string) => service.call('POST', `/operator/jobs/${id}/retry`, { token: service.operatorKey });

async function findFailed(name: string) {
  const { data } = await list(`state=failed&name=${name}`);
  return data[0] ?? null;
}

/** A job that failed three times: each start runs waiting jobs. */
async function failForGood(name: string, error: Error) {
  for (let attempt = 1; ; attempt += 1) {
    let tried = false;
    start(name, async () => {
      tried = true;
      throw error;
    });
    await eventually(() => tried);
    await stopJobs();
    const failed = await findFailed(name);
    if (failed !== null) return failed;
    if (attempt === 20) throw new Error('The job is never given up.');
  }
}

it('a failed job is listed with its error, counted, and done once it is retried', async () => {
  const failed = await failForGood('order', new RangeError('out of order'));
  expect(failed).toEqual({
    id: expect.any(String),
    name: 'order',
    state: 'failed',
    attempts: 3,
    createdAt: expect.any(String),
    startedAt: expect.any(String),
    endedAt: expect.any(String),
    error: 'RangeError: out of order',
  });
  expect(await expectMetric(service, 'paydesk_work_queue_dead\\{queue="job:order"\\}')).toBe(1);

  expect(expectStatus(await retry(failed.id), 200).body).toMatchObject({ state: 'retrying', endedAt: null });
  expect(await expectMetric(service, 'paydesk_work_queue_dead\\{queue="job:order"\\}')).toBe(0);
  expect(await expectMetric(service, 'paydesk_work_queue_retries\\{queue="job:order"\\}')).toBe(1);
  let done = 0;
  start('order', async () => {
    done += 1;
  });
  const { state } = await eventually(async () => {
    const { data } = await list('state=done&name=order');
    return data.find(({ id }: { id: string }) => id === failed.id);
  });
  expect(state).toBe('done');
  expect(done).toBeGreaterThan(0);
  expect(expectStatus(await retry(failed.id), 409).body.error.code).toBe('job_not_failed');
});

it('errors are shown and stored without values, credentials and card numbers', async () => {
  const error = Object.assign(
    new Error(
      'postgres://paydesk:hunter2@db/paydesk refused 4242 4242 4242 4242, Bearer abc.def, opk_0123456789abcdef',
    ),
    { name: 'PostgresError', code: '08006', query: 'SELECT secret_column', parameters: ['a secret value'] },
  );
  const failed = await failForGood('leak', error);
  expect(failed.error).toBe('PostgresError 08006: postgres://db/paydesk refused [number], Bearer [token] opk_[key]');
  const kept = await service.database.owner<{ output: string }[]>`
    SELECT output::text FROM paydesk_jobs.job WHERE name = 'leak' AND output IS NOT NULL`;
  expect(JSON.stringify(kept)).not.toMatch(/hunter2|4242 4242|abc\.def|0123456789|secret|node_modules/);
});

it('schedules are listed with their next time, and jobs by pages, newest first', async () => {
  start('calendar', async () => undefined);
  await eventually(async () => (await list('name=calendar&state=done')).total > 0);
  const { schedules } = await list('perPage=1');
  const nextYear = new Date().getUTCFullYear() + 1;
  expect(schedules).toContainEqual({
    name: 'calendar',
    cron: '0 0 1 1 *',
    timezone: 'UTC',
    nextAt: `${nextYear}-01-01T00:00:00.000Z`,
  });

  const { owner } = service.database;
  await owner`SELECT paydesk_jobs.create_queue('pages', '{"policy": "standard"}')`;
  await owner`
    INSERT INTO paydesk_jobs.job (name, created_on) SELECT 'pages', now() + make_interval(secs => day) FROM generate_series(1, 3) AS day`;
  const first = await list('name=pages&perPage=2');
  const second = await list('name=pages&perPage=2&page=2');
  expect(first).toMatchObject({ total: 3, page: 1, perPage: 2 });
  const times = [...first.data, ...second.data].map(({ createdAt }: { createdAt: string }) => createdAt);
  expect(times).toHaveLength(3);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(first.data[0]).toMatchObject({ state: 'waiting', attempts: 0, startedAt: null, error: null });
});

it('an unknown job is 404, and pg-boss’s own work is not listed', async () => {
  const [internal] = await eventually(
    () => service.database.owner<{ id: string; name: string }[]>`
      INSERT INTO paydesk_jobs.job (name, state) SELECT name, 'failed' FROM paydesk_jobs.queue WHERE name LIKE '\\_\\_pgboss%'
      RETURNING id, name`,
  );
  for (const id of [crypto.randomUUID(), internal?.id ?? '']) {
    expect(expectStatus(await retry(id), 404).body.error.code).toBe('not_found');
  }
  const { data } = await list('perPage=1000');
  expect(data.filter(({ name }: { name: string }) => name.startsWith('__'))).toEqual([]);
});
