/** The charge through PayPal: every kind of fault at every step of the protocol, as charge.faults.test.ts has it for the sandbox. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  readInvoice,
  settleAll,
} from '../../../test/payments/charge.ts';
import { expectCapturedOnce, expectUnknown, HANGING, LATE_MS, QUICK } from '../../../test/payments/charge-faults.ts';
import { NEVER_MS } from '../../../test/payments/delays.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../../test/payments/paypal-charge.ts';
import { decidePending } from '../../../test/stand-ins/paypal/paypal-server.books.ts';
import { paymentKeys } from '../../gateways/gateway/gateway.testing.ts';

/** Waits for the gateway without a timeout of its own. */
let defaultService: PayPalChargeService;
/** Gives up on a gateway that hangs after a second. */
let shortTimeoutService: PayPalChargeService;
beforeAll(async () => {
  [defaultService, shortTimeoutService] = await Promise.all([
    startPayPalChargeService(),
    startPayPalChargeService({ gatewayTimeoutMs: 1_000 }),
  ]);
});
afterEach(async () => {
  await expectSoundBooks(defaultService);
  await expectSoundBooks(shortTimeoutService);
});
afterAll(async () => {
  await Promise.all([defaultService?.stop(), shortTimeoutService?.stop()]);
});

async function orderOf(service: PayPalChargeService, payable: Payable) {
  const { gatewayPaymentId } = await paymentOf(service, payable);
  return service.paypal().books.orders.get(gatewayPaymentId ?? '');
}

describe('an invoice is paid through PayPal', () => {
  it('with one order there, which names our payment, the invoice and what is owed', async () => {
    const payable = await preparePayPalPayable(defaultService);
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    const { id, companyId } = await paymentOf(defaultService, payable);
    const captures = [{ status: 'COMPLETED', amount: { currency_code: 'USD', value: '48.00' } }];
    const debt = `ref:${companyId}:${payable.invoice.id}`;
    const custom = expect.stringMatching(new RegExp(`^${id},${payable.invoice.id},1(,|$)`));
    const units = [{ custom_id: custom, invoice_id: debt, payments: { captures } }];
    expect(await orderOf(defaultService, payable)).toMatchObject({ status: 'COMPLETED', purchase_units: units });
  });

  it('declined: 402 with the reason, Failed, and the order there takes no capture any more', async () => {
    const payable = await preparePayPalPayable(defaultService, { behaviour: 'PAYER_CANNOT_PAY' });
    expect(await payable.pay()).toMatchObject({
      status: 402,
      body: { error: { code: 'card_declined', declineCode: 'payer_cannot_pay' } },
    });
    expect(await orderOf(defaultService, payable)).toMatchObject({ status: 'CREATED', intent: 'AUTHORIZE' });
    expect(await capturesOf(defaultService, payable)).toEqual([]);
  });

  it('refused for another reason than the payer: closed, and Failed', async () => {
    const payable = await preparePayPalPayable(defaultService, { behaviour: 'PAYEE_ACCOUNT_RESTRICTED' });
    expect((await payable.pay()).status).toBe(402);
    expect(await orderOf(defaultService, payable)).toMatchObject({ intent: 'AUTHORIZE' });
  });

  it.each(['COMPLETED', 'DECLINED'] as const)('pending is Processing until PayPal says %s', async (outcome) => {
    const payable = await preparePayPalPayable(defaultService, { behaviour: 'pending' });
    await expectUnknown(defaultService, payable);
    await defaultService.reconcileNow();
    expect(await readInvoice(defaultService, payable)).toMatchObject({ status: 'Processing' });
    decidePending(defaultService.paypal().books, (await orderOf(defaultService, payable))?.id ?? '', outcome);
    await settleAll(defaultService);
    expect((await readInvoice(defaultService, payable)).status).toBe(outcome === 'COMPLETED' ? 'Succeeded' : 'Failed');
  });
});

describe('an answer that is lost or makes no sense is 202 and Processing; then the outcome is found, and one capture', () => {
  it.each(QUICK)('%s of the creation, and of the confirmation', async (kind) => {
    for (const operation of ['create', 'confirm'] as const) {
      const payable = await preparePayPalPayable(defaultService);
      await defaultService.sandbox.armFault({ operation, kind, times: 1 });
      await expectUnknown(defaultService, payable);
      await expectCapturedOnce(defaultService, payable);
    }
  });

  it.each(HANGING)('%s of the creation, and of the confirmation', async (kind) => {
    const payables = [await preparePayPalPayable(shortTimeoutService), await preparePayPalPayable(shortTimeoutService)];
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

  const KINDS = QUICK.filter((kind) => kind !== 'cached_server_error');
  it.each([...KINDS, 'hang_after_effect'] as const)('%s of the check that was to find the outcome', async (kind) => {
    const service = kind === 'hang_after_effect' ? shortTimeoutService : defaultService;
    const payable = await preparePayPalPayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await service.sandbox.armFault({ operation: 'find', kind, times: 1 });
    await expectUnknown(service, payable);
    await service.reconcileNow();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing', paymentId: null });
    await expectCapturedOnce(service, payable);
  });

  /** `find` strikes the look by which the order has to say that it is closed. */
  const CLOSING = ['cancel', 'find'].flatMap((operation) =>
    [...KINDS, 'hang_after_effect'].map((kind) => [kind, operation] as ['outage', 'cancel' | 'find']),
  );
  // What the answer to the change says is not believed in any case: the order says it.
  const HARMLESS = 'wrong_shape_answer cancel';
  it.each(CLOSING.filter((cell) => cell.join(' ') !== HARMLESS))(
    '%s when a declined one is closed (%s)',
    async (kind, operation) => {
      const service = String(kind) === 'hang_after_effect' ? shortTimeoutService : defaultService;
      const payable = await preparePayPalPayable(service, { behaviour: 'INSTRUMENT_DECLINED' });
      await service.sandbox.armFault({ operation, kind, times: 1 });
      await expectUnknown(service, payable);
      await settleAll(service);
      const payment = { status: 'Failed', declineCode: 'generic_decline' };
      expect(await readInvoice(service, payable)).toMatchObject({ status: 'Failed', payment });
      expect(await orderOf(service, payable)).toMatchObject({ intent: 'AUTHORIZE' });
      expect(await capturesOf(service, payable)).toEqual([]);
    },
  );

  it('a request that still executes after the payment was declined and closed captures nothing', async () => {
    const payable = await preparePayPalPayable(shortTimeoutService);
    await shortTimeoutService.sandbox.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: NEVER_MS });
    await shortTimeoutService.sandbox.armFault({
      operation: 'confirm',
      kind: 'declined',
      declineCode: 'invalid_account',
    });
    await expectUnknown(shortTimeoutService, payable);
    await settleAll(shortTimeoutService);
    await shortTimeoutService.sandbox.forgetIdempotencyKeys();
    await shortTimeoutService.sandbox.endDelays();
    expect((await shortTimeoutService.sandbox.readFaults()).pendingEffects).toBe(0);
    const invoice = await readInvoice(shortTimeoutService, payable);
    expect(invoice).toMatchObject({ status: 'Failed', payment: { declineCode: 'invalid_account' } });
    expect(await capturesOf(shortTimeoutService, payable)).toEqual([]);
  });

  it('"no such order" is not believed while the request may still be on its way', async () => {
    const payable = await preparePayPalPayable(shortTimeoutService);
    await shortTimeoutService.sandbox.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: NEVER_MS });
    await expectUnknown(shortTimeoutService, payable);
    const show = shortTimeoutService.hideAtGateway(
      (await paymentOf(shortTimeoutService, payable)).gatewayPaymentId ?? '',
    );
    await shortTimeoutService.reconcileNow();
    show();
    expect(await readInvoice(shortTimeoutService, payable)).toMatchObject({ status: 'Processing' });
    await shortTimeoutService.sandbox.endDelays();
    await expectCapturedOnce(shortTimeoutService, payable);
  });

  it('an order whose payment PayPal has taken through another one is for a person', async () => {
    const payable = await preparePayPalPayable(defaultService);
    await defaultService.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    await expectUnknown(defaultService, payable);
    const { id, companyId, gatewayPaymentId } = await paymentOf(defaultService, payable);
    const other = await defaultService.gateway.createPayment({
      ...{ ...paymentKeys(), debt: `ref:${companyId}:${payable.invoice.id}` },
      amountMinor: 4_800n,
      currency: 'USD',
      sourceToken: 'vault/any',
      reference: id,
    });
    const { books } = defaultService.paypal();
    const order = books.orders.get(other.id);
    if (order !== undefined) order.purchase_units[0].payments = { captures: [] };
    await defaultService.reconcileNow();
    expect((await paymentOf(defaultService, payable)).state).toBe('unknown');
    books.orders.delete(other.id);
    await settleAll(defaultService);
    expect(await paymentOf(defaultService, payable)).toMatchObject({ state: 'needs_review', gatewayPaymentId });
    expect(await capturesOf(defaultService, payable)).toEqual([]);
  });
});

describe('PayPal out of reach, or out of our reach', () => {
  it('is 503, leaves the invoice as it was, and a later pay works', async () => {
    const payable = await preparePayPalPayable(defaultService);
    const before = await readInvoice(defaultService, payable);
    await defaultService.takeGatewayAway();
    const refused = await payable.pay().finally(() => defaultService.bringGatewayBack());
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
    expect(await readInvoice(defaultService, payable)).toEqual({ ...before, payment: expect.anything() });
    expect(await paymentOf(defaultService, payable)).toMatchObject({ state: 'failed', failureReason: 'not_sent' });
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    expect(await paymentsOf(defaultService, payable)).toHaveLength(2);
  });

  it.each(['unauthorized', 'forbidden'] as const)(
    '%s: 503 before there is a payment, later 202; alerts',
    async (kind) => {
      const payable = await preparePayPalPayable(defaultService);
      await defaultService.sandbox.armFault({ operation: 'create', kind });
      expect((await payable.pay()).status).toBe(503);
      const alerts = await defaultService.database.owner`
      SELECT kind FROM alerts WHERE company_id = ${payable.admin.companyId} AND kind = 'gateway_unauthorized'`;
      expect(alerts).toHaveLength(1);
      const other = await prepareInvoice(defaultService, payable.admin, { method: 'paypal' });
      await defaultService.sandbox.armFault({ operation: 'confirm', kind });
      await expectUnknown(defaultService, other);
      await expectCapturedOnce(defaultService, other);
    },
  );
});

it.each(['captures_another_amount', 'captures_another_currency'] as const)(
  '%s: 409 payment_under_review, an alert, never Succeeded',
  async (kind) => {
    const payable = await preparePayPalPayable(defaultService);
    await defaultService.sandbox.armFault({ operation: 'confirm', kind });
    expect(await payable.pay()).toMatchObject({ status: 409, body: { error: { code: 'payment_under_review' } } });
    expect(await readInvoice(defaultService, payable)).toMatchObject({ status: 'Processing', paymentId: null });
  },
);

it('20 pays at once are one payment', async () => {
  const payable = await preparePayPalPayable(defaultService);
  const answers = await Promise.all(Array.from({ length: 20 }, () => payable.pay()));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await capturesOf(defaultService, payable)).toHaveLength(1);
});
