import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, saveCard } from '../../../test/customers/actors.ts';
import { expectMetric } from '../../../test/harness/metrics.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentOf,
  paymentsOf,
  preparePayable,
  readInvoice,
  settleAll,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { expectCapturedOnce, expectUnknown, HANGING, LATE_MS, QUICK } from '../../../test/payments/charge-faults.ts';
import { delayNext, NEVER_MS } from '../../../test/payments/delays.ts';
import { readDebt } from '../debt/debt.ts';
import { selectPayment } from '../payment/payment.queries.ts';
import { createAtGateway } from './gateway-object.ts';

/** Waits for the gateway without a timeout of its own. */
let defaultService: ChargeService;
/** Gives up on a gateway that hangs after a second. */
let shortTimeoutService: ChargeService;
beforeAll(async () => {
  [defaultService, shortTimeoutService] = await Promise.all([
    startChargeService(),
    startChargeService({ gatewayTimeoutMs: 1_000 }),
  ]);
});
afterEach(async () => {
  await expectSoundBooks(defaultService);
  await expectSoundBooks(shortTimeoutService);
});
afterAll(async () => {
  await Promise.all([defaultService?.stop(), shortTimeoutService?.stop()]);
});

/** Lets every request that was sent arrive. */
async function allArrive({ sandbox }: ChargeService): Promise<void> {
  await sandbox.endDelays();
  expect((await sandbox.readFaults()).pendingEffects).toBe(0);
}

// Security (What gateways answer): Huge, redirecting or senseless answers of the gateway are never a success
describe('an answer that is lost or makes no sense is 202 and Processing; then the outcome is found, and one capture', () => {
  /** An answer that is kept for a key strikes what has one. */
  const OF_CHECKS = [...QUICK.filter((kind) => kind !== 'cached_server_error'), 'hang_after_effect'] as const;

  it.each(QUICK)('%s of the creation, and of the confirmation', async (kind) => {
    for (const operation of ['create', 'confirm'] as const) {
      const payable = await preparePayable(defaultService);
      await defaultService.sandbox.armFault({ operation, kind, times: 1 });
      await expectUnknown(defaultService, payable);
      await expectCapturedOnce(defaultService, payable);
    }
  });

  it.each(HANGING)('%s of the creation, and of the confirmation', async (kind) => {
    const payables = [await preparePayable(shortTimeoutService), await preparePayable(shortTimeoutService)];
    for (const operation of ['create', 'confirm'] as const) {
      await shortTimeoutService.sandbox.armFault({
        operation,
        kind,
        ...(kind === 'executes_late' ? { delayMs: LATE_MS } : {}),
      });
    }
    await Promise.all(payables.map((payable) => expectUnknown(shortTimeoutService, payable)));
    for (const payable of payables) await expectCapturedOnce(shortTimeoutService, payable);
  });

  it.each(OF_CHECKS)('%s of the check that was to find the outcome', async (kind) => {
    const service = kind === 'hang_after_effect' ? shortTimeoutService : defaultService;
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await service.sandbox.armFault({ operation: 'find', kind, times: 1 });
    await expectUnknown(service, payable);
    await service.reconcileNow();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing', paymentId: null });
    await expectCapturedOnce(service, payable);
  });

  it.each(OF_CHECKS)('%s when a declined one is canceled', async (kind) => {
    const service = kind === 'hang_after_effect' ? shortTimeoutService : defaultService;
    const payable = await preparePayable(service, { cardNumber: CARDS.insufficientFunds });
    await service.sandbox.armFault({ operation: 'cancel', kind, times: 1 });
    await expectUnknown(service, payable);
    await settleAll(service);
    const payment = { status: 'Failed', declineCode: 'insufficient_funds' };
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Failed', payment });
    expect(await capturesOf(service, payable)).toEqual([]);
  });

  it('a retry meanwhile is 202 too, sends nothing and starts no second payment', async () => {
    const payable = await preparePayable(defaultService);
    await defaultService.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await expectUnknown(defaultService, payable);
    const { calls } = await defaultService.sandbox.readFaults();
    await expectUnknown(defaultService, payable);
    expect((await defaultService.sandbox.readFaults()).calls).toEqual(calls);
    await expectCapturedOnce(defaultService, payable);
  });

  it('a Failed invoice is Processing again while the outcome of its next payment is not known', async () => {
    const payable = await preparePayable(defaultService, { cardNumber: CARDS.declined });
    expect((await payable.pay()).status).toBe(402);
    await saveCard(defaultService, payable.admin, { isDefault: true });
    await defaultService.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect(await payable.pay()).toMatchObject({ status: 202, body: { status: 'Processing' } });
    await settleAll(defaultService);
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
  });

  it('with an Idempotency-Key, 202 is not kept: the same key gets the outcome later', async () => {
    const payable = await preparePayable(defaultService);
    const headers = { 'idempotency-key': randomUUID() };
    await defaultService.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay({ headers })).status).toBe(202);
    await settleAll(defaultService);
    const retried = await payable.pay({ headers });
    expect(retried.status).toBe(200);
    expect(retried.headers.get('idempotent-replayed')).toBeNull();
    expect((await payable.pay({ headers })).headers.get('idempotent-replayed')).toBe('true');
  });

  it('a request that still executes after the payment was declined and canceled captures nothing', async () => {
    const payable = await preparePayable(shortTimeoutService);
    await shortTimeoutService.sandbox.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: NEVER_MS });
    await shortTimeoutService.sandbox.armFault({ operation: 'confirm', kind: 'declined', declineCode: 'do_not_honor' });
    await expectUnknown(shortTimeoutService, payable);
    await settleAll(shortTimeoutService);
    await shortTimeoutService.sandbox.forgetIdempotencyKeys();
    await allArrive(shortTimeoutService);
    const invoice = await readInvoice(shortTimeoutService, payable);
    expect(invoice).toMatchObject({ status: 'Failed', payment: { declineCode: 'do_not_honor' } });
    expect(await capturesOf(shortTimeoutService, payable)).toEqual([]);
  });
});

describe('a gateway out of reach before anything was sent', () => {
  it('is 503 with Retry-After, leaves the invoice as it was, and a later pay works', async () => {
    const payable = await preparePayable(defaultService);
    const before = await readInvoice(defaultService, payable);
    await defaultService.takeGatewayAway();
    const refused = await payable.pay().finally(() => defaultService.bringGatewayBack());
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await readInvoice(defaultService, payable)).toEqual({ ...before, payment: expect.anything() });
    expect(await paymentOf(defaultService, payable)).toMatchObject({ state: 'failed', failureReason: 'not_sent' });
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    expect(await paymentsOf(defaultService, payable)).toHaveLength(2);
  });

  it('leaves a Failed invoice Failed', async () => {
    const payable = await preparePayable(defaultService, { cardNumber: CARDS.declined });
    await payable.pay();
    await defaultService.takeGatewayAway();
    const refused = await payable.pay().finally(() => defaultService.bringGatewayBack());
    expect(refused.status).toBe(503);
    expect(await readInvoice(defaultService, payable)).toMatchObject({ status: 'Failed', paymentId: null });
  });

  it('that goes away during the request may have charged: 202', async () => {
    const payable = await preparePayable(defaultService);
    await defaultService.sandbox.armFault({ operation: 'create', kind: 'hang_after_effect' });
    const callsBefore = (await defaultService.sandbox.readFaults()).calls.create;
    const paying = expectUnknown(defaultService, payable);
    await expect.poll(async () => (await defaultService.sandbox.readFaults()).calls.create).toBe(callsBefore + 1);
    await defaultService.takeGatewayAway();
    await defaultService.bringGatewayBack();
    await paying;
    await expectCapturedOnce(defaultService, payable);
  });
});

describe('a gateway that refuses the request itself', () => {
  it('to make a payment: 402, Failed, and no object that could be captured', async () => {
    const payable = await preparePayable(defaultService);
    await defaultService.database.owner`
      UPDATE cards SET gateway_token = 'card_unknown' WHERE company_id = ${payable.admin.companyId}`;
    const refused = await payable.pay();
    expect(refused.body.error).toMatchObject({ code: 'card_declined', declineCode: 'rejected_by_gateway' });
    expect(await readInvoice(defaultService, payable)).toMatchObject({ status: 'Failed' });
    expect(await paymentOf(defaultService, payable)).toMatchObject({ state: 'failed', failureReason: 'rejected' });
  });

  it('to confirm it, because it was canceled there: 402 and Failed', async () => {
    const payable = await preparePayable(defaultService);
    const confirmation = await delayNext(defaultService, 'confirm');
    const paying = payable.pay();
    await confirmation.arrived();
    await defaultService.gateway.cancelPayment((await paymentOf(defaultService, payable)).gatewayPaymentId ?? '');
    await confirmation.end();
    expect(await paying).toMatchObject({ status: 402, body: { error: { code: 'card_declined' } } });
    expect(await readInvoice(defaultService, payable)).toMatchObject({ status: 'Failed' });
  });

  it('to read it, because the payment is unknown, leaves the outcome open: the request may still arrive', async () => {
    const payable = await preparePayable(shortTimeoutService);
    await shortTimeoutService.sandbox.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: NEVER_MS });
    await expectUnknown(shortTimeoutService, payable);
    const { gatewayPaymentId } = await paymentOf(shortTimeoutService, payable);
    const show = shortTimeoutService.hideAtGateway(gatewayPaymentId ?? '');
    await shortTimeoutService.reconcileNow();
    await shortTimeoutService.reconcileNow();
    show();
    expect(await readInvoice(shortTimeoutService, payable)).toMatchObject({ status: 'Processing' });
    await allArrive(shortTimeoutService);
    await expectCapturedOnce(shortTimeoutService, payable);
  });
});

// Security (What gateways answer): A capture of another amount or currency goes under review
describe('a gateway that captures something else', () => {
  const alertsOf = ({ invoice }: Payable) => defaultService.database.owner<{ kind: string; message: string }[]>`
    SELECT kind, message FROM alerts JOIN payments ON payments.id = payment_id WHERE invoice_id = ${invoice.id}`;

  it.each([
    ['captures_another_amount', '4801 USD instead of 4800 USD'],
    ['captures_another_currency', '4800 EUR instead of 4800 USD'],
  ] as const)('%s: 409 payment_under_review, an alert, never Succeeded', async (kind, message) => {
    const payable = await preparePayable(defaultService);
    const before = await expectMetric(defaultService, 'paydesk_payments_needs_review');
    await defaultService.sandbox.armFault({ operation: 'confirm', kind });
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await payable.pay()).toMatchObject({ status: 409, body: { error: { code: 'payment_under_review' } } });
    }
    await defaultService.reconcileNow();
    const invoice = await readInvoice(defaultService, payable);
    expect(invoice).toMatchObject({ status: 'Processing', paymentId: null, payment: { status: 'NeedsReview' } });
    expect(await alertsOf(payable)).toMatchObject([
      { kind: 'payment_mismatch', message: expect.stringContaining(message) },
    ]);
    expect(await expectMetric(defaultService, 'paydesk_payments_needs_review')).toBe(before + 1);
  });

  it('is under review also when the reconciler finds it', async () => {
    const payable = await preparePayable(defaultService);
    await defaultService.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    await defaultService.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount', amountMinor: '1' });
    await expectUnknown(defaultService, payable);
    await defaultService.reconcileNow();
    expect((await payable.pay()).body.error.code).toBe('payment_under_review');
    expect(await alertsOf(payable)).toHaveLength(1);
  });
});

describe("a gateway's object belongs to one payment (gateway, gateway_payment_id)", () => {
  it('which the database holds, whichever company the other payment is of', async () => {
    const [one, other] = [await preparePayable(defaultService), await preparePayable(defaultService)];
    expect((await one.pay()).status).toBe(200);
    await defaultService.sandbox.armFault({ operation: 'create', kind: 'answer_lost_before_effect' });
    await expectUnknown(defaultService, other);
    const { gatewayPaymentId } = await paymentOf(defaultService, one);
    const taking = defaultService.database.owner`
      UPDATE payments SET gateway_payment_id = ${gatewayPaymentId} WHERE invoice_id = ${other.invoice.id}`;
    await expect(taking).rejects.toMatchObject({ code: '23505', constraint_name: 'payments_gateway_object_taken' });
    await expectCapturedOnce(defaultService, other);
  });

  it('so that one that answers a creation with the object of another payment has nothing confirmed', async () => {
    const [one, other] = [await preparePayable(defaultService), await preparePayable(defaultService)];
    for (const payable of [one, other]) {
      await defaultService.sandbox.armFault({ operation: 'create', kind: 'answer_lost_after_effect' });
      await expectUnknown(defaultService, payable);
    }
    const { id, companyId } = await paymentOf(defaultService, other);
    const { payments } = await defaultService.sandbox.readLedger();
    const object = payments.find(({ reference }) => reference === id)?.id ?? '';
    const give = (gatewayPaymentId: string | null) => defaultService.database.owner`
      UPDATE payments SET gateway_payment_id = ${gatewayPaymentId} WHERE invoice_id = ${one.invoice.id}`;
    await give(object);
    const before = (await defaultService.sandbox.readFaults()).calls.confirm;
    const payment = await selectPayment(defaultService.database.db, companyId, id);
    const debt = await readDebt(defaultService.database.db, payment);
    const confused = {
      ...defaultService.gateway,
      createPayment: async () =>
        (await defaultService.gateway.findPayment(object)) ?? expect.fail('the object is gone'),
    };
    const sending = createAtGateway(defaultService.database.db, confused, payment, { debt });
    await expect(sending).rejects.toMatchObject({ name: 'GatewayError', kind: 'outcome_unknown' });
    expect((await defaultService.sandbox.readFaults()).calls.confirm).toBe(before);
    expect(await paymentOf(defaultService, other)).toMatchObject({ state: 'unknown', gatewayPaymentId: null });
    // In a test's database every edit of a payment's object is written down as a breach of I7.
    await defaultService.database.owner`ALTER TABLE payments DISABLE TRIGGER record_payment`;
    await give(null);
    await defaultService.database.owner`ALTER TABLE payments ENABLE TRIGGER record_payment`;
    for (const payable of [one, other]) await expectCapturedOnce(defaultService, payable);
  });
});
