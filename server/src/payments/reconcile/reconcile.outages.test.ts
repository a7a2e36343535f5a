import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, cardBody, saveAddress, signUpAdmin } from '../../../test/customers/actors.ts';
import { expectMetric } from '../../../test/harness/metrics.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
  settleAll,
  startChargeService,
} from '../../../test/payments/charge.ts';
import type { FaultKind, GatewayOperation } from '../../gateways/sandbox/bank/bank.schema.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

const KINDS = ['unauthorized', 'forbidden'] as const satisfies FaultKind[];

/** The gateway refuses our credentials until the test clears the faults. */
const refuse = (operation: GatewayOperation | 'any', kind: FaultKind = 'unauthorized') =>
  service.sandbox.armFault({ operation, kind, times: null });

const alertsOf = (companyId: string) => service.database.owner<{ kind: string; message: string }[]>`
  SELECT kind, message FROM alerts WHERE company_id = ${companyId} AND kind = 'gateway_unauthorized'`;

async function expectOutage(payable: Payable): Promise<void> {
  const answer = await payable.pay();
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

async function expectUnknown(payable: Payable): Promise<void> {
  const answer = await payable.pay();
  expect(answer).toMatchObject({ status: 202, body: { status: 'Processing', paymentId: null } });
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await paymentOf(service, payable)).state).toBe('unknown');
}

describe.each(KINDS)('credentials that the gateway refuses (%s)', (kind) => {
  it('before the object is made: 503, the payment fails as not_sent, the invoice is unchanged, and a later pay works', async () => {
    const payable = await preparePayable(service);
    const before = await readInvoice(service, payable);
    await refuse('create', kind);
    await expectOutage(payable);
    expect(await readInvoice(service, payable)).toEqual({ ...before, payment: expect.anything() });
    expect(await paymentOf(service, payable)).toMatchObject({
      state: 'failed',
      failureReason: 'not_sent',
      declineCode: null,
    });
    expect(await alertsOf(payable.admin.companyId)).toMatchObject([
      { message: expect.stringContaining('credentials') },
    ]);
    await service.sandbox.clearFaults();
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    expect(await paymentsOf(service, payable)).toHaveLength(2);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('on the confirmation: 202, Processing and an alert; the reconciler captures once when the credentials work', async () => {
    const payable = await preparePayable(service);
    await refuse('confirm', kind);
    await expectUnknown(payable);
    expect(await alertsOf(payable.admin.companyId)).toHaveLength(1);
    await refuse('find', kind);
    for (let checks = 1; checks <= 2; checks += 1) {
      await service.reconcileNow();
      expect(await paymentOf(service, payable)).toMatchObject({ state: 'unknown', reconcileCount: checks });
      expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing', paymentId: null });
    }
    expect(service.logs()).toContain('the gateway refuses our credentials');
    await service.sandbox.clearFaults();
    await settleAll(service);
    const { id, state } = await paymentOf(service, payable);
    expect(state).toBe('captured');
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded', paymentId: id } });
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });
});

it('credentials refused when a declined payment is canceled: 202 and Processing; Failed only once it is canceled', async () => {
  const payable = await preparePayable(service, { cardNumber: CARDS.insufficientFunds });
  await refuse('cancel');
  await expectUnknown(payable);
  await service.reconcileNow();
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing' });
  await service.sandbox.clearFaults();
  await settleAll(service);
  const payment = { status: 'Failed', declineCode: 'insufficient_funds' };
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Failed', payment });
});

it('if the reconciler’s credentials are refused, a payment whose creation was lost waits, and is captured once', async () => {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'create', kind: 'answer_lost_after_effect' });
  await expectUnknown(payable);
  await refuse('any');
  await service.reconcileNow();
  expect((await paymentOf(service, payable)).state).toBe('unknown');
  await service.sandbox.clearFaults();
  await settleAll(service);
  expect((await paymentOf(service, payable)).state).toBe('captured');
  expect(await capturesOf(service, payable)).toHaveLength(1);
});

it('a Failed invoice stays Failed when the next pay meets refused credentials', async () => {
  const payable = await preparePayable(service, { cardNumber: CARDS.declined });
  expect((await payable.pay()).status).toBe(402);
  await refuse('create');
  await expectOutage(payable);
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Failed', paymentId: null });
});

it('refused credentials raise an alert once in ten minutes for each company, and the metric counts the companies', async () => {
  const before = await expectMetric(service, 'paydesk_gateway_unauthorized_companies');
  const payable = await preparePayable(service);
  const other = await prepareInvoice(service, payable.admin);
  await refuse('create');
  for (const one of [payable, other, payable]) await expectOutage(one);
  const { companyId } = payable.admin;
  expect(await alertsOf(companyId)).toHaveLength(1);
  expect(await expectMetric(service, 'paydesk_gateway_unauthorized_companies')).toBe(before + 1);
  const { owner } = service.database;
  const age = (interval: string) =>
    owner`UPDATE alerts SET created_at = now() - ${interval}::interval WHERE company_id = ${companyId}`;
  await age('16 minutes');
  expect(await expectMetric(service, 'paydesk_gateway_unauthorized_companies')).toBe(before);
  await expectOutage(payable);
  expect(await alertsOf(companyId)).toHaveLength(2);
});

it('a card is not saved and not blamed while the gateway refuses our credentials: 503', async () => {
  const admin = await signUpAdmin(service);
  const body = cardBody(await saveAddress(service, admin));
  await refuse('tokenize');
  const refused = await service.call('POST', '/payments/cards', { token: admin.token, body });
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
  const cards = await service.call('GET', '/payments/cards', { token: admin.token });
  expect(cards).toMatchObject({ status: 200, body: [] });
});
