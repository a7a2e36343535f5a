/** PostgreSQL ends connections while they are used, as at a failover or at an administrator's command. */
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readRun, setPrice, startRun, use, work } from '../billing/billing.ts';
import { type Actor, expectStatus, signUpAdmin } from '../customers/actors.ts';
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

/** Waits until the pool has connections alone that work: a request that only prepares a test must not meet the end of the last one. */
const recovered = () =>
  eventually(async () => {
    const answers = await Promise.all(Array.from({ length: POOL_SIZE }, read));
    return answers.every(({ status }) => status === 200);
  });

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
  await recovered();
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
  await recovered();
  expect(await readRun(service, id)).toMatchObject({ status: 'done', failures: 0 });
});

describe('a statement that is written between the end of its connection and its closing', () => {
  const { write } = Socket.prototype;
  /**
   * Refuses the first statements of `work` with this text, also among their values, as Node refuses a write to a socket that the other side
   * has ended and that is not closed yet, for which it names no system call.
   */
  async function refuse<Result>(
    text: string,
    { times }: { times: number },
    work: () => Promise<Result>,
  ): Promise<Result> {
    let left = times;
    const spy = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (
      this: Socket,
      chunk,
      ...rest: unknown[]
    ) {
      if (left === 0 || !Buffer.isBuffer(chunk) || !chunk.includes(text))
        return Reflect.apply(write, this, [chunk, ...rest]);
      left -= 1;
      this.destroy(Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }));
      return false;
    });
    const result = await work().finally(() => spy.mockRestore());
    expect(left).toBe(0);
    return result;
  }

  it('is 503 with Retry-After, and nothing is done', async () => {
    const body = { name: 'Refused once', description: 'd', color: '#fff', userName: 'Ada' };
    const { status, headers } = await refuse(body.name, { times: 1 }, () => send('POST', '/labels', body));
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expectStatus(await send('POST', '/labels', body), 201);
  });

  it('stops the pass of a billing run, which counts no company as failed, and bills it in a later pass', async () => {
    await setPrice(service, { path: '/v1/written', unitAmount: '1.00' });
    await use(service, await signUpAdmin(service), '/v1/written', 3, '2025-05-10T00:00:00Z');
    const { id } = await startRun(service, '2025-05');
    // In a transaction, and at its begin: each once for all companies together, and once for the first that is then billed alone.
    for (const text of ['"lateUsageKind"', 'begin ']) {
      // A connection that has prepared a statement no longer sends its text.
      await endBackends();
      await recovered();
      await refuse(text, { times: 2 }, () => expect(work(service)).rejects.toThrow());
      expect(await readRun(service, id)).toMatchObject({ status: 'running', failures: 0 });
    }
    await work(service);
    expect(await readRun(service, id)).toMatchObject({ status: 'done', failures: 0, invoices: 1 });
  });
});
