/** CHARGES=held: after a restore the service answers reads and accepts changes, but charges, refunds, bills and corrects nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setBilling, setPrice, use } from '../billing/billing.ts';
import { flatPriceBody } from '../billing/prices.ts';
import { reportUsage, usageEvent } from '../billing/usage.ts';
import { cardBody, expectStatus, invoiceBody, saveAddress, saveCard, signUpAdmin } from '../customers/actors.ts';
import { type StartedService, startInProcess } from '../harness/in-process.ts';
import { becomesReady, endProcesses, eventually } from '../harness/process.ts';
import type { Request } from '../harness/request.ts';
import {
  type ChargeService,
  chargeEnvironment,
  type Payable,
  prepareInvoice,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../payments/charge.ts';
import { type Paid, postRefund, preparePaid, refundsOf } from '../payments/refunds.ts';
import { holdCharges, releaseCharges } from '../recovery/hold.ts';

/** Serves the API without background work, so that the work is still waiting when the tests start other processes. */
let before: ChargeService;
let open: Payable;
let unknown: Payable;
let paid: Paid;
let refunded: Paid;

beforeAll(async () => {
  before = await startChargeService();
  [open, unknown] = [await preparePayable(before), await preparePayable(before)];
  [paid, refunded] = [await preparePaid(before), await preparePaid(before)];
  await before.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  expectStatus(await unknown.pay(), 202);
  await before.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_after_effect' });
  expectStatus(await postRefund(before, refunded), 202);
  await setBilling(before, open.admin, { invoiceGraceHours: 0, collection: 'automatic' });
  await setPrice(before, { path: '/call', unitAmount: '1.00' });
  const now = new Date();
  const monthBeforeLast = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 15)).toISOString();
  await use(before, open.admin, '/call', 5, monthBeforeLast);
});
afterAll(async () => {
  await endProcesses();
  await before?.stop();
});

const start = (environment: Record<string, string> = {}) =>
  startInProcess({ ...chargeEnvironment(before), ...environment });

/** What waits at the beginning: a charge and a refund without an outcome, an invoice to collect, a month to bill. */
async function readWaiting() {
  const { body } = await before.call('GET', '/operator/billing-runs', { token: before.operatorKey });
  return {
    open: (await readInvoice(before, open)).status,
    unknown: (await readInvoice(before, unknown)).status,
    refund: (await refundsOf(before, refunded))[0].status,
    runs: body.data.length,
  };
}
const WAITING = { open: 'Processing', unknown: 'Processing', refund: 'Processing', runs: 0 };

async function hasRunItsJobs(): Promise<boolean> {
  const { body } = await before.call('GET', '/operator/jobs', { token: before.operatorKey });
  return body.schedules.some(
    ({ name, lastRunAt }: { name: string; lastRunAt: string | null }) =>
      name === 'billing-schedule' && lastRunAt !== null,
  );
}

/** Waits until the background work that still runs has had a turn after this moment. */
async function takeTurn(): Promise<void> {
  await reportUsage(before, [usageEvent(open.admin.companyId, { time: new Date().toISOString() })]);
  await eventually(async () => (await before.database.owner`SELECT 1 FROM usage_deltas LIMIT 1`).length === 0);
}

describe('a service that is started with CHARGES=held', () => {
  let held: StartedService;
  beforeAll(async () => {
    held = await start({ CHARGES: 'held' });
  });
  afterAll(() => held?.stop());
  const call = (method: string, path: string, request: Request = {}) => held.service.call(method, path, request);

  it('is ready, and reports that charges are held, why and since when', async () => {
    const { body } = await becomesReady(held.service);
    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(body).toEqual({ status: 'ok', charges: 'held', reason: expect.stringContaining('CHARGES=held'), since });
  });

  const operator = (path: (ids: { invoiceId: string; paymentId: string }) => string, body?: object) => ({
    method: 'POST',
    path,
    body,
  });
  // Security (Disks, upgrades and restores): A restored service can start without charging anything, and says so
  it.each([
    {
      method: 'PUT',
      path: ({ invoiceId }: { invoiceId: string }) => `/payments/orders/${invoiceId}/pay`,
      body: undefined,
    },
    operator(({ paymentId }) => `/operator/payments/${paymentId}/refunds`, { reason: 'Outage' }),
    operator(() => '/operator/billing-runs', { period: '2026-01' }),
    operator(({ invoiceId }) => `/operator/invoices/${invoiceId}/credit-notes`, { amount: '1.00', reason: 'Outage' }),
    operator(({ invoiceId }) => `/operator/invoices/${invoiceId}/void`),
  ])('answers 503 charges_held and does nothing: $method $path', async ({ method, path, body }) => {
    const url = path({ invoiceId: open.invoice.id, paymentId: paid.paymentId });
    const token = method === 'PUT' ? open.admin.token : before.operatorKey;
    const headers = { 'idempotency-key': `held-${url}` };
    const answer = await call(method, url, { token, headers, ...(body === undefined ? {} : { body }) });
    expect([answer.status, answer.body.error.code]).toEqual([503, 'charges_held']);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await readInvoice(before, open)).toMatchObject({
      status: 'Processing',
      creditedTotal: '0.00',
      voidedAt: null,
    });
    expect(await refundsOf(before, paid)).toEqual([]);
  });

  it('includes every route that may charge', () => {
    const charging = before.operations.filter(({ errors }) => errors.includes('card_declined'));
    expect(charging.filter(({ heldWithCharges }) => !heldWithCharges).map(({ url }) => url)).toEqual([]);
  });

  it('does everything else as usual', async () => {
    const admin = await signUpAdmin(held.service);
    const { token } = admin;
    const body = cardBody(await saveAddress(held.service, admin));
    const asOperator = { token: before.operatorKey };
    expect((await call('POST', '/payments/cards', { token, body })).status).toBe(201);
    expect(
      (
        await call('POST', '/labels', {
          token,
          body: { name: 'Held', description: 'x', color: '#fff', userName: 'Ada' },
        })
      ).status,
    ).toBe(201);
    expect(
      (await call('POST', '/operator/invoices', { ...asOperator, body: invoiceBody(admin.companyId) })).status,
    ).toBe(201);
    expect(
      (await call('POST', '/operator/prices', { ...asOperator, body: flatPriceBody({ path: '/held' }) })).status,
    ).toBe(201);
    const settings = { ...asOperator, body: { netDays: 3 } };
    expect((await call('PUT', `/operator/companies/${admin.companyId}/billing-settings`, settings)).status).toBe(200);
    expect((await call('GET', '/payments/orders', { token })).body.total).toBe(1);
  });

  it('leaves work for the gateway and for billing waiting, while other background work continues', async () => {
    await eventually(hasRunItsJobs);
    await takeTurn();
    await takeTurn();
    expect(await readWaiting()).toEqual(WAITING);
  });
});

it('after a start without CHARGES=held, the work waits for a hold of the database, and is done as soon as the hold ends', async () => {
  await holdCharges(before, 'A payment is missing.');
  const { service, stop } = await start();
  const readReadiness = async () => (await becomesReady(service)).body;
  expect(await readReadiness()).toMatchObject({ charges: 'held', reason: 'A payment is missing.' });
  await takeTurn();
  await takeTurn();
  expect(await readWaiting()).toEqual(WAITING);

  await releaseCharges(before);
  let last = '';
  const done = { open: 'Succeeded', unknown: 'Succeeded', refund: 'Succeeded' };
  await eventually(
    async () => {
      const { runs: _runs, ...waiting } = await readWaiting();
      last = JSON.stringify(waiting);
      return last === JSON.stringify(done);
    },
    () => last,
  );
  expect(await readReadiness()).toEqual({ status: 'ok', charges: 'on' });

  const admin = await signUpAdmin(before);
  await setBilling(before, admin, { collection: 'automatic' });
  const later = await prepareInvoice(before, admin);
  await holdCharges(before);
  await eventually(async () => (await readReadiness()).charges === 'held');
  await saveCard(before, admin);
  await takeTurn();
  await takeTurn();
  expect((await readInvoice(before, later)).status).toBe('Processing');
  await releaseCharges(before);
  await eventually(async () => (await readInvoice(before, later)).status === 'Succeeded');
  await stop();
});
