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
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import { readDebt } from '../record/debt.ts';
import { selectPayment } from '../record/payment.queries.ts';
import { createAtGateway } from './send.ts';

/** Waits for the gateway without a timeout of its own. */
let patient: ChargeService;
/** Gives up on a gateway that hangs after a second. */
let impatient: ChargeService;
beforeAll(async () => {
  [patient, impatient] = await Promise.all([startChargeService(), startChargeService({ gatewayTimeoutMs: 1_000 })]);
});
afterEach(async () => {
  await expectSoundBooks(patient);
  await expectSoundBooks(impatient);
});
afterAll(async () => {
  await Promise.all([patient?.stop(), impatient?.stop()]);
});

/** Waits until every request that was sent has arrived. */
async function allArrived({ sandbox }: ChargeService): Promise<void> {
  await expect.poll(async () => (await sandbox.readFaults()).pendingEffects).toBe(0);
}

describe('an answer that is lost or makes no sense is 202 and Processing; then the outcome is found, and one capture', () => {
  /** An answer that is kept for a key strikes what has one. */
  const OF_LOOKS = [...QUICK.filter((kind) => kind !== 'cached_server_error'), 'hang_after_effect'] as const;

  it.each(QUICK)('%s of the creation, and of the confirmation', async (kind) => {
    for (const operation of ['create', 'confirm'] as const) {
      const payable = await preparePayable(patient);
      await patient.sandbox.armFault({ operation, kind, times: 1 });
      await expectUnknown(patient, payable);
      await expectCapturedOnce(patient, payable);
    }
  });

  it.each(HANGING)('%s of the creation, and of the confirmation', async (kind) => {
    const payables = [await preparePayable(impatient), await preparePayable(impatient)];
    for (const operation of ['create', 'confirm'] as const) {
      await impatient.sandbox.armFault({ operation, kind, ...(kind === 'executes_late' ? { delayMs: LATE_MS } : {}) });
    }
    await Promise.all(payables.map((payable) => expectUnknown(impatient, payable)));
    for (const payable of payables) await expectCapturedOnce(impatient, payable);
  });

  it.each(OF_LOOKS)('%s of the look that was to find it', async (kind) => {
    const service = kind === 'hang_after_effect' ? impatient : patient;
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await service.sandbox.armFault({ operation: 'find', kind, times: 1 });
    await expectUnknown(service, payable);
    await service.reconcileNow();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing', paymentId: null });
    await expectCapturedOnce(service, payable);
  });

  it.each(OF_LOOKS)('%s when a declined one is canceled', async (kind) => {
    const service = kind === 'hang_after_effect' ? impatient : patient;
    const payable = await preparePayable(service, { cardNumber: CARDS.insufficientFunds });
    await service.sandbox.armFault({ operation: 'cancel', kind, times: 1 });
    await expectUnknown(service, payable);
    await settleAll(service);
    const payment = { status: 'Failed', declineCode: 'insufficient_funds' };
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Failed', payment });
    expect(await capturesOf(service, payable)).toEqual([]);
  });

  it('a retry meanwhile is 202 too, sends nothing and starts no second payment', async () => {
    const payable = await preparePayable(patient);
    await patient.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await expectUnknown(patient, payable);
    const { calls } = await patient.sandbox.readFaults();
    await expectUnknown(patient, payable);
    expect((await patient.sandbox.readFaults()).calls).toEqual(calls);
    await expectCapturedOnce(patient, payable);
  });

  it('a Failed invoice is Processing again while the outcome of its next payment is not known', async () => {
    const payable = await preparePayable(patient, { cardNumber: CARDS.declined });
    expect((await payable.pay()).status).toBe(402);
    await saveCard(patient, payable.admin, { isDefault: true });
    await patient.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect(await payable.pay()).toMatchObject({ status: 202, body: { status: 'Processing' } });
    await settleAll(patient);
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
  });

  it('with an Idempotency-Key, 202 is not kept: the same key gets the outcome later', async () => {
    const payable = await preparePayable(patient);
    const headers = { 'idempotency-key': randomUUID() };
    await patient.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay({ headers })).status).toBe(202);
    await settleAll(patient);
    const retried = await payable.pay({ headers });
    expect(retried.status).toBe(200);
    expect(retried.headers.get('idempotent-replayed')).toBeNull();
    expect((await payable.pay({ headers })).headers.get('idempotent-replayed')).toBe('true');
  });

  it('a request that still executes after the payment was declined and canceled captures nothing', async () => {
    const payable = await preparePayable(impatient);
    await impatient.sandbox.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: LATE_MS });
    await impatient.sandbox.armFault({ operation: 'confirm', kind: 'declined', declineCode: 'do_not_honor' });
    await expectUnknown(impatient, payable);
    await settleAll(impatient);
    await impatient.sandbox.forgetIdempotencyKeys();
    await allArrived(impatient);
    const invoice = await readInvoice(impatient, payable);
    expect(invoice).toMatchObject({ status: 'Failed', payment: { declineCode: 'do_not_honor' } });
    expect(await capturesOf(impatient, payable)).toEqual([]);
  });
});

describe('a gateway out of reach before anything was sent', () => {
  it('is 503 with Retry-After, leaves the invoice as it was, and a later pay works', async () => {
    const payable = await preparePayable(patient);
    const before = await readInvoice(patient, payable);
    await patient.takeGatewayAway();
    const refused = await payable.pay().finally(() => patient.bringGatewayBack());
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await readInvoice(patient, payable)).toEqual({ ...before, payment: expect.anything() });
    expect(await paymentOf(patient, payable)).toMatchObject({ state: 'failed', failureReason: 'not_sent' });
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    expect(await paymentsOf(patient, payable)).toHaveLength(2);
  });

  it('leaves a Failed invoice Failed', async () => {
    const payable = await preparePayable(patient, { cardNumber: CARDS.declined });
    await payable.pay();
    await patient.takeGatewayAway();
    const refused = await payable.pay().finally(() => patient.bringGatewayBack());
    expect(refused.status).toBe(503);
    expect(await readInvoice(patient, payable)).toMatchObject({ status: 'Failed', paymentId: null });
  });

  it('that goes away while the request is with it is not known to have done nothing: 202', async () => {
    const payable = await preparePayable(patient);
    await patient.sandbox.armFault({ operation: 'create', kind: 'hang_after_effect' });
    const callsBefore = (await patient.sandbox.readFaults()).calls.create;
    const paying = expectUnknown(patient, payable);
    await expect.poll(async () => (await patient.sandbox.readFaults()).calls.create).toBe(callsBefore + 1);
    await patient.takeGatewayAway();
    await patient.bringGatewayBack();
    await paying;
    await expectCapturedOnce(patient, payable);
  });
});

describe('a gateway that refuses the request itself', () => {
  it('to make a payment: 402, Failed, and no object that could be captured', async () => {
    const payable = await preparePayable(patient);
    await patient.database.owner`
      UPDATE cards SET gateway_token = 'card_unknown' WHERE company_id = ${payable.admin.companyId}`;
    const refused = await payable.pay();
    expect(refused.body.error).toMatchObject({ code: 'card_declined', declineCode: 'rejected_by_gateway' });
    expect(await readInvoice(patient, payable)).toMatchObject({ status: 'Failed' });
    expect(await paymentOf(patient, payable)).toMatchObject({ state: 'failed', failureReason: 'rejected' });
  });

  it('to confirm it, because it was canceled there: 402 and Failed', async () => {
    const payable = await preparePayable(patient);
    await patient.sandbox.armFault({ operation: 'confirm', kind: 'latency', delayMs: 1_000 });
    const paying = payable.pay();
    const sent = async () => (await paymentsOf(patient, payable))[0]?.gatewayPaymentId ?? '';
    await expect.poll(sent).not.toBe('');
    await patient.gateway.cancelPayment(await sent());
    expect(await paying).toMatchObject({ status: 402, body: { error: { code: 'card_declined' } } });
    expect(await readInvoice(patient, payable)).toMatchObject({ status: 'Failed' });
  });

  it('to read it, because it knows no such payment, is not believed: the request may still be on its way', async () => {
    const payable = await preparePayable(impatient);
    await impatient.sandbox.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: 2_500 });
    await expectUnknown(impatient, payable);
    const { gatewayPaymentId } = await paymentOf(impatient, payable);
    const show = impatient.hideAtGateway(gatewayPaymentId ?? '');
    await impatient.reconcileNow();
    await impatient.reconcileNow();
    show();
    expect(await readInvoice(impatient, payable)).toMatchObject({ status: 'Processing' });
    await allArrived(impatient);
    await expectCapturedOnce(impatient, payable);
  });
});

describe('a gateway that captures something else', () => {
  const alertsOf = ({ invoice }: Payable) => patient.database.owner<{ kind: string; message: string }[]>`
    SELECT kind, message FROM alerts JOIN payments ON payments.id = payment_id WHERE invoice_id = ${invoice.id}`;

  it.each([
    ['captures_another_amount', '4801 USD instead of 4800 USD'],
    ['captures_another_currency', '4800 EUR instead of 4800 USD'],
  ] as const)('%s: 409 payment_under_review, an alert, never Succeeded', async (kind, message) => {
    const payable = await preparePayable(patient);
    const before = await expectMetric(patient, 'paydesk_payments_needs_review');
    await patient.sandbox.armFault({ operation: 'confirm', kind });
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await payable.pay()).toMatchObject({ status: 409, body: { error: { code: 'payment_under_review' } } });
    }
    await patient.reconcileNow();
    const invoice = await readInvoice(patient, payable);
    expect(invoice).toMatchObject({ status: 'Processing', paymentId: null, payment: { status: 'NeedsReview' } });
    expect(await alertsOf(payable)).toMatchObject([
      { kind: 'payment_mismatch', message: expect.stringContaining(message) },
    ]);
    expect(await expectMetric(patient, 'paydesk_payments_needs_review')).toBe(before + 1);
  });

  it('when the reconciler is the one who hears of it: the same', async () => {
    const payable = await preparePayable(patient);
    await patient.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    await patient.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount', amountMinor: '1' });
    await expectUnknown(patient, payable);
    await patient.reconcileNow();
    expect((await payable.pay()).body.error.code).toBe('payment_under_review');
    expect(await alertsOf(payable)).toHaveLength(1);
  });
});

describe("a gateway's object belongs to one payment (gateway, gateway_payment_id)", () => {
  it('which the database holds, whichever company the other payment is of', async () => {
    const [one, other] = [await preparePayable(patient), await preparePayable(patient)];
    expect((await one.pay()).status).toBe(200);
    await patient.sandbox.armFault({ operation: 'create', kind: 'answer_lost_before_effect' });
    await expectUnknown(patient, other);
    const { gatewayPaymentId } = await paymentOf(patient, one);
    const taking = patient.database.owner`
      UPDATE payments SET gateway_payment_id = ${gatewayPaymentId} WHERE invoice_id = ${other.invoice.id}`;
    await expect(taking).rejects.toMatchObject({ code: '23505', constraint_name: 'payments_gateway_object_taken' });
    await expectCapturedOnce(patient, other);
  });

  it('so that one that answers a creation with the object of another payment has nothing confirmed', async () => {
    const [one, other] = [await preparePayable(patient), await preparePayable(patient)];
    for (const payable of [one, other]) {
      await patient.sandbox.armFault({ operation: 'create', kind: 'answer_lost_after_effect' });
      await expectUnknown(patient, payable);
    }
    const { id, companyId } = await paymentOf(patient, other);
    const { payments } = await patient.sandbox.readLedger();
    const object = payments.find(({ reference }) => reference === id)?.id ?? '';
    const give = (gatewayPaymentId: string | null) => patient.database.owner`
      UPDATE payments SET gateway_payment_id = ${gatewayPaymentId} WHERE invoice_id = ${one.invoice.id}`;
    await give(object);
    const before = (await patient.sandbox.readFaults()).calls.confirm;
    const payment = await selectPayment(patient.database.db, companyId, id);
    const debt = await readDebt(patient.database.db, payment);
    const confused: Gateway = {
      ...patient.gateway,
      createPayment: async () => (await patient.gateway.findPayment(object)) ?? expect.fail('the object is gone'),
    };
    const sending = createAtGateway(patient.database.db, confused, payment, debt);
    await expect(sending).rejects.toMatchObject({ name: 'GatewayError', kind: 'outcome_unknown' });
    expect((await patient.sandbox.readFaults()).calls.confirm).toBe(before);
    expect(await paymentOf(patient, other)).toMatchObject({ state: 'unknown', gatewayPaymentId: null });
    // In a test's database every edit of a payment's object is written down as a breach of I7.
    await patient.database.owner`ALTER TABLE payments DISABLE TRIGGER record_payment`;
    await give(null);
    await patient.database.owner`ALTER TABLE payments ENABLE TRIGGER record_payment`;
    for (const payable of [one, other]) await expectCapturedOnce(patient, payable);
  });
});
