/** The charge through Stripe: every kind of fault at every step of the protocol, as charge.faults.test.ts has it for the sandbox. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import {
  capturesOf,
  expectSoundBooks,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
  settleAll,
} from '../../../test/payments/charge.ts';
import { expectCapturedOnce, expectUnknown, HANGING, LATE_MS, QUICK } from '../../../test/payments/charge-faults.ts';
import { NEVER_MS } from '../../../test/payments/delays.ts';
import {
  STRIPE_DECLINED_CARD,
  type StripeChargeService,
  startStripeChargeService,
} from '../../../test/payments/stripe-charge.ts';
import { readPaymentDetails } from '../../gateways/gateway/gateway.metadata.ts';

/** Waits for the gateway without a timeout of its own. */
let defaultService: StripeChargeService;
/** Gives up on a gateway that hangs after a second. */
let shortTimeoutService: StripeChargeService;
beforeAll(async () => {
  [defaultService, shortTimeoutService] = await Promise.all([
    startStripeChargeService(),
    startStripeChargeService({ gatewayTimeoutMs: 1_000 }),
  ]);
});
afterEach(async () => {
  await expectSoundBooks(defaultService);
  await expectSoundBooks(shortTimeoutService);
});
afterAll(async () => {
  await Promise.all([defaultService?.stop(), shortTimeoutService?.stop()]);
});

describe('an invoice is paid through Stripe', () => {
  it('with one payment there, whose keys are of the debt, and its reference of our payment', async () => {
    const payable = await preparePayable(defaultService);
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    const { id, gatewayPaymentId } = await paymentOf(defaultService, payable);
    const intent = defaultService.stripe().books.intents.get(gatewayPaymentId ?? '');
    expect(intent).toMatchObject({ amount_received: 4_800, currency: 'usd', metadata: { paydesk_payment: id } });
    const keys = defaultService
      .stripe()
      .eventsOf(gatewayPaymentId ?? '')
      .map(({ request }) => request.idempotency_key);
    const debt = `ref:${payable.admin.companyId}:${payable.invoice.id}`;
    expect(keys).toEqual([`${debt}-1-create`, `${debt}-1-confirm`]);
  });

  it('however many tax rates it has, which its object there names', async () => {
    const payable = await preparePayable(defaultService);
    const rates = Array.from({ length: 300 }, (_, index) => `${index}.5`);
    const taxes = JSON.stringify(rates.map((rate) => ({ rate, net: '0.16', tax: '0.00' })));
    await defaultService.database.owner`
      UPDATE invoices SET tax_rate = NULL, taxes = ${taxes}::text::json WHERE id = ${payable.invoice.id}`;
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    const { gatewayPaymentId } = await paymentOf(defaultService, payable);
    const { metadata } = defaultService.stripe().books.intents.get(gatewayPaymentId ?? '') ?? {};
    expect(readPaymentDetails(metadata ?? {}).taxRate?.split(',')).toEqual(rates);
  });

  it('all cards of a company belong to one customer there, and those of another company to another', async () => {
    const [admin, other] = [await signUpAdmin(defaultService), await signUpAdmin(defaultService)];
    for (const actor of [admin, admin, other]) await saveCard(defaultService, actor);
    const rows = await defaultService.database.owner<{ companyId: string; token: string }[]>`
      SELECT company_id AS "companyId", gateway_token AS token FROM cards
      WHERE company_id::text IN (${admin.companyId}, ${other.companyId}) AND gateway = 'stripe' ORDER BY id`;
    const customers = rows.map(({ token }) => token.split('/')[0] ?? '');
    expect(customers[0]).toBe(customers[1]);
    expect(customers[2]).not.toBe(customers[0]);
    const { books } = defaultService.stripe();
    expect(books.customers.get(customers[0] ?? '')?.metadata).toEqual({ paydesk_company: admin.companyId });
  });

  it('declined: 402 with the reason of the bank, Failed, and the payment there is canceled', async () => {
    const payable = await preparePayable(defaultService, { cardNumber: STRIPE_DECLINED_CARD });
    await defaultService.sandbox.armFault({ operation: 'confirm', kind: 'declined', declineCode: 'stolen_card' });
    const answer = await payable.pay();
    expect(answer).toMatchObject({
      status: 402,
      body: { error: { code: 'card_declined', declineCode: 'stolen_card' } },
    });
    const { gatewayPaymentId } = await paymentOf(defaultService, payable);
    expect(defaultService.stripe().books.intents.get(gatewayPaymentId ?? '')?.status).toBe('canceled');
  });
});

describe('an answer that is lost or makes no sense is 202 and Processing; then the outcome is found, and one capture', () => {
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

  const KINDS = QUICK.filter((kind) => kind !== 'cached_server_error');
  it.each([...KINDS, 'hang_after_effect'] as const)('%s of the check that was to find the outcome', async (kind) => {
    const service = kind === 'hang_after_effect' ? shortTimeoutService : defaultService;
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await service.sandbox.armFault({ operation: 'find', kind, times: 1 });
    await expectUnknown(service, payable);
    await service.reconcileNow();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing', paymentId: null });
    await expectCapturedOnce(service, payable);
  });

  it.each([...KINDS, 'hang_after_effect'] as const)('%s when a declined one is canceled', async (kind) => {
    const service = kind === 'hang_after_effect' ? shortTimeoutService : defaultService;
    const payable = await preparePayable(service, { cardNumber: STRIPE_DECLINED_CARD });
    await service.sandbox.armFault({ operation: 'cancel', kind, times: 1 });
    await expectUnknown(service, payable);
    await settleAll(service);
    const payment = { status: 'Failed', declineCode: 'generic_decline' };
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Failed', payment });
    expect(await capturesOf(service, payable)).toEqual([]);
  });

  it('a request that still executes after the payment was declined and canceled captures nothing', async () => {
    const payable = await preparePayable(shortTimeoutService);
    await shortTimeoutService.sandbox.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: NEVER_MS });
    await shortTimeoutService.sandbox.armFault({ operation: 'confirm', kind: 'declined', declineCode: 'do_not_honor' });
    await expectUnknown(shortTimeoutService, payable);
    await settleAll(shortTimeoutService);
    await shortTimeoutService.sandbox.forgetIdempotencyKeys();
    await shortTimeoutService.sandbox.endDelays();
    expect((await shortTimeoutService.sandbox.readFaults()).pendingEffects).toBe(0);
    const invoice = await readInvoice(shortTimeoutService, payable);
    expect(invoice).toMatchObject({ status: 'Failed', payment: { declineCode: 'do_not_honor' } });
    expect(await capturesOf(shortTimeoutService, payable)).toEqual([]);
  });

  it('"no such payment" is not believed while the request may still be on its way', async () => {
    const payable = await preparePayable(shortTimeoutService);
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
});

describe('Stripe out of reach, or out of our reach', () => {
  it('is 503, leaves the invoice as it was, and a later pay works', async () => {
    const payable = await preparePayable(defaultService);
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
      const payable = await preparePayable(defaultService);
      await defaultService.sandbox.armFault({ operation: 'create', kind });
      expect((await payable.pay()).status).toBe(503);
      const alerts = await defaultService.database.owner`
      SELECT kind FROM alerts WHERE company_id = ${payable.admin.companyId} AND kind = 'gateway_unauthorized'`;
      expect(alerts).toHaveLength(1);
      const other = await prepareInvoice(defaultService, payable.admin);
      await defaultService.sandbox.armFault({ operation: 'confirm', kind });
      await expectUnknown(defaultService, other);
      await expectCapturedOnce(defaultService, other);
    },
  );
});

it.each(['captures_another_amount', 'captures_another_currency'] as const)(
  '%s: 409 payment_under_review, an alert, never Succeeded',
  async (kind) => {
    const payable = await preparePayable(defaultService);
    await defaultService.sandbox.armFault({ operation: 'confirm', kind });
    expect(await payable.pay()).toMatchObject({ status: 409, body: { error: { code: 'payment_under_review' } } });
    expect(await readInvoice(defaultService, payable)).toMatchObject({ status: 'Processing', paymentId: null });
  },
);

it('20 pays at once are one payment', async () => {
  const payable = await preparePayable(defaultService);
  const answers = await Promise.all(Array.from({ length: 20 }, () => payable.pay()));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await capturesOf(defaultService, payable)).toHaveLength(1);
});
