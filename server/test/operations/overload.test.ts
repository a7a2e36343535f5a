import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD_COST } from '../../src/identity/passwords/password.ts';
import { type Actor, issueInvoice, PASSWORD, saveCard, signUpAdmin } from '../customers/actors.ts';
import { expectMetric } from '../harness/metrics.ts';
import { occupyConnections } from '../harness/pool.ts';
import { becomesReady } from '../harness/process.ts';
import type { Answer, Request } from '../harness/request.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const POOL_SIZE = 3;

let service: TestService;
let admin: Actor;
let invoiceId: string;
let release: (() => Promise<void>) | undefined;

beforeAll(async () => {
  service = await startTestService({ poolSize: POOL_SIZE, databaseTimeoutFactor: 1, passwordCost: PASSWORD_COST });
  admin = await signUpAdmin(service);
  await saveCard(service, admin);
  invoiceId = (await issueInvoice(service, admin.companyId)).id;
});
afterAll(async () => service.stop());
afterEach(async () => {
  await release?.();
  release = undefined;
});

async function exhaustPool(): Promise<void> {
  release = await occupyConnections(service.database, POOL_SIZE);
}

async function letGo(): Promise<void> {
  await release?.();
  release = undefined;
  await becomesReady(service);
}

function call(method: string, path: string, request: Request = {}): Promise<Answer> {
  return service.call(method, path, { token: admin.token, ...request });
}

function label(name: string): Request {
  return { body: { name, description: 'd', color: '#fff', userName: 'Ada' } };
}

function expectBusy(answer: Answer): void {
  expect([answer.status, answer.body.error?.code]).toEqual([503, 'service_unavailable']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('every connection of the pool taken', () => {
  // Security (A database that is away, or slow): A busy connection pool causes a quick 503
  it('answers 503 with Retry-After on any request instead of hanging', async () => {
    await exhaustPool();
    const login = { body: { email: admin.email, password: PASSWORD } };
    // The pool stays occupied until all of them are answered.
    const answers = await Promise.all([
      call('GET', '/labels'),
      call('GET', '/payments/cards'),
      call('POST', '/labels', label('refused')),
      call('POST', '/labels', { ...label('refused with a key'), headers: { 'idempotency-key': 'overload-1' } }),
      call('DELETE', '/labels', { body: { label_ids: [admin.userId] } }),
      call('PUT', `/payments/orders/${invoiceId}/pay`),
      call('POST', '/auth/local', login),
      call('GET', '/operator/companies', { token: service.operatorKey }),
    ]);
    for (const answer of answers) expectBusy(answer);
    await letGo();
  });

  it('does nothing for a refused request, and handles it when it is repeated later', async () => {
    await exhaustPool();
    expectBusy(await call('POST', '/labels', label('later')));
    expectBusy(await call('PUT', `/payments/orders/${invoiceId}/pay`));
    await letGo();
    expect((await call('GET', '/labels?name=later')).body.total).toBe(0);
    expect((await call('POST', '/labels', label('later'))).status).toBe(201);
    const paid = await call('PUT', `/payments/orders/${invoiceId}/pay`);
    expect([paid.status, paid.body.status]).toEqual([200, 'Succeeded']);
    expect((await service.sandbox.readLedger()).captures).toHaveLength(1);
  });

  it('refuses requests at once after that, without more load on the database', async () => {
    await exhaustPool();
    expectBusy(await call('GET', '/labels'));
    const many = await Promise.all(Array.from({ length: 200 }, () => call('GET', '/labels')));
    for (const answer of many) expectBusy(answer);
    await letGo();
    expect((await call('GET', '/labels')).status).toBe(200);
  });

  // Security (A database that is away, or slow): While the connection pool is busy, the process is alive and not ready
  it('is alive (200) and not ready (503) meanwhile, and serves its metrics', async () => {
    await exhaustPool();
    expectBusy(await service.call('GET', '/readyz'));
    expect((await service.call('GET', '/healthz')).status).toBe(200);
    // Metrics are read over a separate connection.
    expect(await expectMetric(service, 'paydesk_payments_waiting')).toBe(0);
    expect(await expectMetric(service, 'paydesk_process_resident_memory_bytes')).toBeGreaterThan(0);
    await letGo();
  });
});

describe('a lock held by another session', () => {
  it('is waited for briefly: 503 with Retry-After, and the same request succeeds once it is free', async () => {
    const { id } = (await call('POST', '/labels', label('locked'))).body;
    const change = { body: { description: 'changed' } };
    await service.database.owner.begin(async (tx) => {
      await tx`UPDATE labels SET description = 'held' WHERE id = ${id}`;
      expectBusy(await call('PUT', `/labels/${id}`, change));
      // Other requests are not delayed by it.
      expect((await call('GET', `/labels/${id}`)).body.description).toBe('d');
    });
    expect((await call('PUT', `/labels/${id}`, change)).body.description).toBe('changed');
  });
});

describe('GET /metrics', () => {
  it('names no company, no user, no e-mail and no path with an id', async () => {
    await call('GET', `/labels/${admin.userId}`);
    await call('GET', `/nowhere/${admin.companyId}`);
    const { text } = await service.call('GET', '/metrics', { token: service.operatorKey });
    expect(text).toMatch(/route="\/labels\/:label_id",status="404"/);
    for (const word of [admin.companyId, admin.userId, admin.email, invoiceId]) expect(text).not.toContain(word);
  });
});
