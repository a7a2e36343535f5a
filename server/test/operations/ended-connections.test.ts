/** PostgreSQL ends connections while they are used, as at a failover or at an administrator's command. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRun, setPrice, startRun, use, work } from '../billing/billing.ts';
import { type Actor, signUpAdmin } from '../customers/actors.ts';
import { eventually } from '../harness/process.ts';
import type { Answer } from '../harness/request.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const POOL_SIZE = 10;
const ROUNDS = 12;

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ poolSize: POOL_SIZE });
  admin = await signUpAdmin(service);
});
afterAll(async () => service?.stop());

const send = (method: string, path: string, body?: unknown) => service.call(method, path, { token: admin.token, body });
/** Ends all of the service's connections, as `pg_ctl promote` on another host or an administrator does. */
async function endBackends(): Promise<void> {
  await service.database.owner`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
}

const read = () => send('GET', '/labels');
const write = () => send('POST', '/labels', { name: randomUUID(), description: 'd', color: '#fff', userName: 'Ada' });
const remove = () => send('DELETE', '/labels', { label_ids: [randomUUID()] });

it('requests that lose their connection are answered with 2xx, or 503 and Retry-After', async () => {
  const answers: Answer[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = Array.from({ length: POOL_SIZE }, (_, index) => [read, write, remove][index % 3]?.() ?? read());
    const [, ...rest] = await Promise.all([endBackends(), ...asked, ...asked.map(read)]);
    answers.push(...rest);
  }
  const failed = answers.filter(({ status }) => status >= 300);
  expect(failed.length).toBeGreaterThan(0);
  const unexpected = failed.filter(({ status, headers }) => status !== 503 || !headers.has('retry-after'));
  expect(unexpected.map(({ status, text }) => ({ status, text }))).toEqual([]);
});

it('a billing run whose connections are ended again and again counts no company as failed', async () => {
  await setPrice(service, { path: '/v1/ended', unitAmount: '1.00' });
  for (const company of await Promise.all(Array.from({ length: 20 }, () => signUpAdmin(service)))) {
    await use(service, company, '/v1/ended', 3, '2025-03-10T00:00:00Z');
  }
  const { id } = await startRun(service, '2025-03');
  let isOver = false;
  const ending = (async () => {
    for (let round = 0; !isOver && round < ROUNDS; round += 1) await endBackends();
  })();
  for (let pass = 0; !isOver; pass += 1) {
    await work(service).catch(() => undefined);
    await service.database.owner`UPDATE billing_runs SET lease = NULL, leased_until = NULL WHERE id = ${id}`;
    const { status } = await eventually(() => readRun(service, id).catch(() => null));
    isOver = status !== 'running' || pass === 100;
  }
  await ending;
  expect(await readRun(service, id)).toMatchObject({ status: 'done', failures: 0 });
});
