import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listServerProcesses, sendSignal } from '../../../packages/embedded-postgres/src/process/process-table.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../customers/actors.ts';
import { expectMetric } from '../harness/metrics.ts';
import {
  becomesReady,
  connectToEmbedded,
  endProcesses,
  eventually,
  isAlive,
  type PaydeskProcess,
  postmasterOf,
  startPaydesk,
} from '../harness/process.ts';
import type { Answer } from '../harness/request.ts';

/** The operator's key is checked in the database. */
const METRICS_TOKEN = 'reads-the-metrics';

let paydesk: PaydeskProcess;
let owner: Db;
let admin: Actor;

beforeAll(async () => {
  // The process is killed at its first charge, which is the last request to it.
  paydesk = await startPaydesk({ FAILPOINTS: 'after_confirm', METRICS_TOKEN });
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

/** Returns the PostgreSQL processes that serve the service at the moment. */
async function backends(): Promise<number[]> {
  const rows = await owner<{ pid: number }[]>`SELECT pid FROM pg_stat_activity WHERE usename = 'paydesk_application'`;
  return rows.map(({ pid }) => pid);
}

async function becomesHealthy(): Promise<void> {
  await becomesReady(paydesk.service);
  const { total } = expectStatus(await read(), 200).body;
  expectStatus(await write(), 201);
  expect(expectStatus(await read(), 200).body.total).toBe(total + 1);
  expect(isAlive(paydesk.pid)).toBe(true);
}

/** Sends requests until it is told to stop. @returns the answers */
function keepAsking(): { stop: () => Promise<Answer[]> } {
  let stopped = false;
  const asking = [read, write, read, write].map(async (ask) => {
    const answers: Answer[] = [];
    for (; !stopped; await sleep(5)) answers.push(await ask());
    return answers;
  });
  return {
    stop: async () => {
      stopped = true;
      return (await Promise.all(asking)).flat();
    },
  };
}

/** Suspends PostgreSQL while `work` runs, including every process that serves the service's pool. */
async function whileFrozen(work: () => Promise<void>): Promise<void> {
  await eventually(backends);
  const [cluster] = await owner<[{ name: string }]>`SELECT current_setting('cluster_name') AS name`;
  const frozen: number[] = [];
  const freeze = (pid: number) => {
    sendSignal(pid, 'SIGSTOP');
    frozen.push(pid);
  };
  try {
    // Then no other process begins. The list has those that have just begun, too.
    freeze(postmasterOf(paydesk.dataDirectory));
    for (const { pid } of await listServerProcesses(cluster.name)) freeze(pid);
    await work();
  } finally {
    for (const pid of frozen) sendSignal(pid, 'SIGCONT');
  }
}

describe('a database that does not answer', () => {
  const login = () =>
    paydesk.service.call('POST', '/auth/local', { body: { email: admin.email, password: 'Another-horse-7' } });

  it('delays each request by a few seconds at most, then requests fail at once; all works when the process continues', async () => {
    await whileFrozen(async () => {
      // All of them are answered while it is suspended.
      for (const answer of await Promise.all([read(), write(), login(), read(), write()])) expectAway(answer);
      expectAway(await paydesk.service.call('GET', '/readyz'));
      // It stays suspended while logins of new connections time out, one after the other.
      for (let rounds = 0; rounds < 10; rounds += 1) {
        for (const answer of await Promise.all([read(), write(), login()])) expectAway(answer);
        await sleep(300);
      }
      expect((await paydesk.service.call('GET', '/healthz')).status).toBe(200);
      expect(await expectMetric(paydesk.service, 'paydesk_payments_waiting', METRICS_TOKEN)).toBeNaN();
    });
    await becomesHealthy();
  });
});

describe('kill -9', () => {
  // Security (A database that is away, or slow): Killed backends of PostgreSQL cause at worst 503; then the service is healthy again by
  // itself
  it('of backends under load: the process survives, answers at worst 503 with Retry-After, and recovers by itself', async () => {
    const asking = keepAsking();
    for (let round = 0; round < 3; round += 1) {
      const old = await eventually(async () => {
        const pids = await backends().catch(() => []);
        return pids.length > 0 && pids;
      });
      process.kill(old[0] ?? 0, 'SIGKILL');
      // PostgreSQL then ends its other processes too, a moment later.
      await eventually(() => !old.some(isAlive));
      await eventually(async () => (await read()).status === 200);
    }
    const answers = await asking.stop();
    for (const answer of answers.filter(({ status }) => status >= 300)) expectAway(answer);
    await becomesHealthy();

    // What was answered with 201 exists (I11); what was answered with 503 may exist.
    const created = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(created.length).toBeGreaterThan(0);
    expect(await owner`SELECT id FROM labels WHERE id IN ${owner(created)}`).toHaveLength(created.length);
  });

  // Security (A database that is away, or slow): A killed PostgreSQL causes at worst 503; then the service is healthy again by itself
  it('of PostgreSQL: while it is down 503 with Retry-After, not ready but alive; then it recovers by itself', async () => {
    // PostgreSQL can't start without this file, so it stays away for as long as the test needs.
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
    expect(await expectMetric(paydesk.service, 'paydesk_payments_waiting', METRICS_TOKEN)).toBeNaN();

    renameSync(`${file}.away`, file);
    await becomesHealthy();
    expect(paydesk.isRunning()).toBe(true);
  });
});

describe('kill -9 of the service while it pays with an Idempotency-Key', () => {
  it('after_confirm: after the restart, with PostgreSQL left running, the same key gets the outcome, with one capture', async () => {
    const { service: before, dataDirectory } = paydesk;
    await saveCard(before, admin);
    const invoice = await issueInvoice(before, admin.companyId);
    const pay = { token: admin.token, headers: { 'idempotency-key': 'a key' } };
    const path = `/payments/orders/${invoice.id}/pay`;
    await expect(before.call('PUT', path, pay)).rejects.toThrow();
    expect(await paydesk.ended).toEqual({ code: null, signal: 'SIGKILL' });
    const orphan = postmasterOf(dataDirectory);
    expect(isAlive(orphan)).toBe(true);
    // The lease of the dead process ends soon.
    const [left] = await owner`
        SELECT state, locked_until - idempotency_keys.created_at <= interval '10 seconds' AS "isShort"
        FROM idempotency_keys, payments WHERE status IS NULL`;
    expect(left).toEqual({ state: 'sending', isShort: true });
    await owner`UPDATE payments SET reconcile_at = now() + interval '1 hour' WHERE reconcile_at IS NOT NULL`;

    const { service, end } = await startPaydesk({ DATA_DIR: dataDirectory, OPERATOR_KEY: before.operatorKey });
    expect(isAlive(orphan)).toBe(false);
    const books = connectToEmbedded(dataDirectory);
    onTestFinished(() => books.end({ timeout: 1 }));
    const retried = await eventually(async () => {
      const answer = await service.call('PUT', path, pay);
      if (answer.status !== 409) return answer;
      expect(answer.body.error.code).toBe('idempotency_key_in_use');
      const waitSeconds = Number(answer.headers.get('retry-after'));
      expect(waitSeconds).toBeGreaterThan(0);
      await sleep(waitSeconds * 1_000);
      return null;
    });
    const [payment, ...others] = await books`SELECT id FROM payments`;
    expect(others).toEqual([]);
    expect(retried).toMatchObject({ status: 200, body: { status: 'Succeeded', paymentId: payment?.id } });
    const replayed = await service.call('PUT', path, pay);
    expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([retried.text, 'true']);
    await end('SIGTERM');
    const ledger = new DatabaseSync(join(dataDirectory, 'sandbox-gateway.db'), { readOnly: true });
    expect(ledger.prepare('SELECT count(*) AS captures FROM captures').get()).toEqual({ captures: 1 });
    ledger.close();
  });
});
