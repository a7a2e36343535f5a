import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSandboxControl, type SandboxControl } from '../../src/gateways/sandbox/sandbox.control.ts';
import { type SandboxGateway, startSandboxGateway } from '../../src/gateways/sandbox/server/server.ts';
import { invoicesOf, readRun, setPrice, use } from '../billing/billing.ts';
import { type Actor, issueInvoice, saveCard, signUpAdmin } from '../customers/actors.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';
import { refusalOf } from '../harness/in-process.ts';
import {
  becomesReady,
  endProcesses,
  eventually,
  makeDataDirectory,
  type PaydeskProcess,
  startPaydesk,
} from '../harness/process.ts';

/** Longer than background work waits before it handles something due. */
const BACKGROUND_MS = 5_000;

let database: TestDatabase;
let sandbox: SandboxGateway;
let control: SandboxControl;
let api: PaydeskProcess;
/** The process that is there at the end. */
let worker: PaydeskProcess;
/** What was left to the workers. */
const works: Work[] = [];
const secret = randomBytes(24).toString('base64url');
const folder = mkdtempSync(join(tmpdir(), 'paydesk-roles-'));
const dataDirectory = makeDataDirectory();

beforeAll(async () => {
  database = await cloneDatabase();
  sandbox = await startSandboxGateway({ ledgerPath: join(folder, 'ledger.db'), host: '127.0.0.1', port: 0, secret });
  control = createSandboxControl({ baseUrl: sandbox.url, secret });
  api = await start('api');
});
beforeEach(() => control.clearFaults());
afterAll(async () => {
  await endProcesses();
  await sandbox?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const METRICS_TOKEN = 'scrape-4f1c9a7be2d0';

const start = (role: string): Promise<PaydeskProcess> =>
  startPaydesk({
    ROLE: role,
    DATABASE_URL: database.url,
    DATA_DIR: dataDirectory,
    SANDBOX_GATEWAY_URL: sandbox.url,
    SANDBOX_GATEWAY_SECRET: secret,
    GATEWAY_TIMEOUT_MS: '60000',
    METRICS_TOKEN,
    METRICS_PORT: '0',
  });

type Work = { admin: Actor; invoiceId: string; runId: string };

/** Creates all background work that the API can create: a payment without an answer, usage, and a billing run. */
async function leaveWork(period: string): Promise<Work> {
  const { service } = api;
  const admin = await signUpAdmin(service);
  await saveCard(service, admin);
  await use(service, admin, '/call', 5, `${period}-10T00:00:00Z`);
  const token = service.operatorKey;
  const run = await service.call('POST', '/operator/billing-runs', { token, body: { period } });
  const { id: invoiceId } = await issueInvoice(service, admin.companyId);
  await control.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
  const paid = await service.call('PUT', `/payments/orders/${invoiceId}/pay`, { token: admin.token });
  expect([run.status, paid.status]).toEqual([202, 202]);
  await control.clearFaults();
  await makeDue();
  return { admin, invoiceId, runId: run.body.id };
}

/** Releases the leases of processes that have ended. */
async function makeDue(): Promise<void> {
  await database.owner`UPDATE payments SET reconcile_at = now() - interval '1 second' WHERE reconcile_at IS NOT NULL`;
  await database.owner`UPDATE billing_runs SET leased_until = now() WHERE leased_until IS NOT NULL`;
}

/** Reads how far this work is. */
async function readWork({ admin, invoiceId, runId }: Work) {
  const [[payment], [usage], invoices, run] = await Promise.all([
    database.owner<{ state: string; count: number }[]>`
      SELECT state, reconcile_count AS count FROM payments WHERE invoice_id = ${invoiceId}`,
    database.owner<[{ waiting: number }]>`
      SELECT count(*)::int AS waiting FROM usage_deltas WHERE company_id = ${admin.companyId}`,
    invoicesOf(api.service, admin),
    readRun(api.service, runId),
  ]);
  const billed = invoices.filter(({ id }: { id: string }) => id !== invoiceId);
  return {
    payment: payment?.state,
    checks: payment?.count,
    usage: usage.waiting,
    run: run.status,
    billed: billed.length,
  };
}

const DONE = { payment: 'captured', usage: 0, run: 'done', billed: 1 };

async function untilDone(work: Work): Promise<void> {
  await eventually(async () => {
    const { checks: _, ...now } = await readWork(work);
    return JSON.stringify(now) === JSON.stringify(DONE);
  });
}

it('the API alone does no background work', async () => {
  await setPrice(api.service, { path: '/call', unitAmount: '1.00' });
  const work = await leaveWork('2021-01');
  works.push(work);
  const before = await readWork(work);
  expect(before).toMatchObject({ payment: 'unknown', usage: 1, run: 'running', billed: 0 });
  await sleep(BACKGROUND_MS);
  expect(await readWork(work)).toEqual(before);
  expect(await database.owner`SELECT FROM schedules`).toHaveLength(0);
});

it('workers do the work that requests leave; when one is killed in the middle, the next one finishes it, once', async () => {
  works.push(await leaveWork('2021-02'), await leaveWork('2021-03'));
  await control.armFault({ operation: 'confirm', kind: 'latency', delayMs: 600_000, times: null });
  const { calls } = await control.readFaults();
  const killed = await start('worker');
  await eventually(async () => (await control.readFaults()).calls.confirm > calls.confirm);
  await killed.end('SIGKILL');
  const isCaptured = async (work: Work) => (await readWork(work)).payment === 'captured';
  expect(await Promise.all(works.map(isCaptured))).not.toContain(true);

  await control.clearFaults();
  await makeDue();
  worker = await start('worker');
  for (const work of works) await untilDone(work);
  await eventually(async () => (await database.owner`SELECT FROM schedules WHERE last_run_at IS NOT NULL`).length > 0);
  const { captures, payments } = await control.readLedger();
  const objects = new Set(payments.map(({ id }) => id));
  expect(captures.filter(({ paymentId }) => objects.has(paymentId))).toHaveLength(works.length);
});

it('a worker serves only its health endpoints and metrics', async () => {
  if (!worker.isRunning()) worker = await start('worker');
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const ask = async (path: string) => (await fetch(worker.url + path, { headers })).status;
  await becomesReady(worker.service);
  expect(await Promise.all(['/healthz', '/metrics'].map(ask))).toEqual([200, 200]);
  const others = ['/labels', '/operator/companies', '/openapi.json', '/docs', '/.well-known/jwks.json'];
  expect(await Promise.all(others.map(ask))).toEqual(others.map(() => 404));
  const login = await fetch(`${worker.url}/auth/local`, { method: 'POST' });
  expect(login.status).toBe(404);
  // It has no reference page to link to.
  expect(await login.text()).not.toContain('/docs');
  expect(worker.output()).not.toContain('/docs');
  expect(await worker.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(worker.logged().at(-1)?.msg).toBe('stopped');
  expect(await (await fetch(`${api.url}/healthz`)).json()).toEqual({ status: 'ok' });
});

it('a part of the service without a reachable sandbox does not start, and says why', async () => {
  const said = await refusalOf({ ROLE: 'worker', DATABASE_URL: database.url });
  expect(said).toMatch(/set SANDBOX_GATEWAY_URL and SANDBOX_GATEWAY_SECRET/);
});
