import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../src/database/database.ts';
import { type Actor, expectStatus, signUpAdmin } from './actors.ts';
import { expectMetric } from './metrics.ts';
import {
  connectToEmbedded,
  endProcesses,
  eventually,
  isAlive,
  type PaydeskProcess,
  postmasterOf,
  startPaydesk,
} from './process.ts';
import type { Answer } from './request.ts';

let paydesk: PaydeskProcess;
let owner: Db;
let admin: Actor;

beforeAll(async () => {
  paydesk = await startPaydesk();
  owner = connectToEmbedded(paydesk.dataDirectory);
  admin = await signUpAdmin(paydesk.service);
});
afterAll(async () => {
  await owner.end({ timeout: 1 });
  await endProcesses();
});

function read(): Promise<Answer> {
  return paydesk.service.call('GET', '/labels', { token: admin.token });
}

function write(): Promise<Answer> {
  const body = { name: randomUUID(), description: 'd', color: '#fff', userName: 'Ada' };
  return paydesk.service.call('POST', '/labels', { token: admin.token, body });
}

function expectAway(answer: Answer): void {
  expect([answer.status, answer.body.error.code]).toEqual([503, 'service_unavailable']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

/** The server processes that work for the service at the moment. */
async function backends(): Promise<number[]> {
  const rows = await owner<{ pid: number }[]>`SELECT pid FROM pg_stat_activity WHERE usename = 'paydesk_application'`;
  return rows.map(({ pid }) => pid);
}

async function becomesHealthy(): Promise<void> {
  await eventually(async () => (await paydesk.service.call('GET', '/readyz')).status === 200);
  const { total } = expectStatus(await read(), 200).body;
  expectStatus(await write(), 201);
  expect(expectStatus(await read(), 200).body.total).toBe(total + 1);
  expect(isAlive(paydesk.pid)).toBe(true);
}

/** Asks and asks until told to stop; answers what came. */
function keepAsking(): { stop: () => Promise<Answer[]> } {
  let stopped = false;
  const asking = [read, write, read, write].map(async (ask) => {
    const answers: Answer[] = [];
    while (!stopped) answers.push(await ask());
    return answers;
  });
  return {
    stop: async () => {
      stopped = true;
      return (await Promise.all(asking)).flat();
    },
  };
}

describe('kill -9 (robustness bar 51)', () => {
  it('of backends under load: the process lives, answers 503 with Retry-After at worst, and is healthy again by itself', async () => {
    const asking = keepAsking();
    for (let round = 0; round < 3; round += 1) {
      const victim = await eventually(async () => (await backends().catch(() => []))[0]);
      process.kill(victim, 'SIGKILL');
      await eventually(async () => (await read()).status === 200);
    }
    const answers = await asking.stop();
    for (const answer of answers.filter(({ status }) => status >= 300)) expectAway(answer);
    await becomesHealthy();

    // What was answered with 201 is there (I11); what was answered with 503 may be.
    const created = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(created.length).toBeGreaterThan(0);
    expect(await owner`SELECT id FROM labels WHERE id IN ${owner(created)}`).toHaveLength(created.length);
  });

  it('of PostgreSQL itself: as long as it is away 503 with Retry-After, not ready but alive; then healthy by itself', async () => {
    // Without this file PostgreSQL does not start, so that it stays away for as long as the test needs.
    const file = join(paydesk.dataDirectory, 'postgres', 'PG_VERSION');
    renameSync(file, `${file}.away`);
    process.kill(postmasterOf(paydesk.dataDirectory), 'SIGKILL');
    await eventually(async () => (await read()).status === 503);
    expectAway(await read());
    expectAway(await write());
    expectAway(await paydesk.service.call('PUT', `/payments/orders/${admin.userId}/pay`, { token: admin.token }));
    const login = { email: admin.email, password: 'Another-horse-7' };
    expectAway(await paydesk.service.call('POST', '/auth/local', { body: login }));
    expectAway(await paydesk.service.call('GET', '/readyz'));
    expect((await paydesk.service.call('GET', '/healthz')).status).toBe(200);
    expect(await expectMetric(paydesk.service, 'paydesk_payments_waiting')).toBeNaN();

    renameSync(`${file}.away`, file);
    await becomesHealthy();
    expect(paydesk.isRunning()).toBe(true);
  });
});
