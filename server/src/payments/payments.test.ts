import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, saveCard, signUpAdmin } from '../../test/customers/actors.ts';
import type { TestService } from '../../test/harness/service.ts';
import {
  capturesOf,
  expectSoundBooks,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../../test/payments/charge.ts';

let service: TestService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service.stop());

const gatewayCalls = async () => (await service.sandbox.readFaults()).calls;

/** Invoice lines of one amount. */
const line = (amount: string, currency = 'USD') => ({
  details: [{ title: 'Calls', path: '/v1/calls', totalRequest: 1, currency, amount }],
});

describe('PUT /payments/orders/{invoice_id}/pay', () => {
  it('charges the only card once: Succeeded, paymentId set, updatedAt changed', async () => {
    const payable = await preparePayable(service);
    const before = await readInvoice(service, payable);
    expect(before).toMatchObject({ status: 'Processing', paymentId: null, payment: null });
    const paid = await payable.pay();
    expect(paid.status).toBe(200);
    expect(paid.body).toMatchObject({ id: payable.invoice.id, status: 'Succeeded', total: '48.00' });
    const { id } = await paymentOf(service, payable);
    expect(paid.body.paymentId).toBe(id);
    expect(paid.body).not.toHaveProperty('payment');
    const after = await readInvoice(service, payable);
    expect(after.payment).toMatchObject({
      id,
      status: 'Succeeded',
      amount: '48.00',
      currency: 'USD',
      declineCode: null,
    });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(await capturesOf(service, payable)).toMatchObject([{ amountMinor: 4_800n, currency: 'USD' }]);
  });

  it('answers a paid invoice with 200, unchanged, and asks the gateway nothing', async () => {
    const payable = await preparePayable(service);
    const paid = await payable.pay();
    const calls = await gatewayCalls();
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const again = await payable.pay();
      expect(again.status).toBe(200);
      expect(again.body).toEqual(paid.body);
    }
    expect(await gatewayCalls()).toEqual(calls);
  });

  it.each([
    [CARDS.declined, 'generic_decline'],
    [CARDS.insufficientFunds, 'insufficient_funds'],
    [CARDS.lost, 'lost_card'],
    [CARDS.expired, 'expired_card'],
    [CARDS.processingError, 'processing_error'],
  ])('answers a refusal of the bank with 402 card_declined and its code: %s is %s', async (cardNumber, declineCode) => {
    const payable = await preparePayable(service, { cardNumber });
    const refused = await payable.pay();
    expect(refused.status).toBe(402);
    expect(refused.body.error).toMatchObject({ code: 'card_declined', declineCode });
    const invoice = await readInvoice(service, payable);
    expect(invoice).toMatchObject({ status: 'Failed', paymentId: null, payment: { status: 'Failed', declineCode } });
  });

  it('cancels what was declined at the gateway, so that nothing can capture it later', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    await payable.pay();
    const { gatewayPaymentId } = await paymentOf(service, payable);
    const { payments } = await service.sandbox.readLedger();
    expect(payments.find(({ id }) => id === gatewayPaymentId)).toMatchObject({ status: 'canceled' });
  });

  it('takes a Failed invoice to Succeeded with a later pay, as a new payment', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.insufficientFunds });
    expect((await payable.pay()).status).toBe(402);
    expect((await payable.pay()).status).toBe(402);
    await saveCard(service, payable.admin, { isDefault: true });
    const paid = await payable.pay();
    expect(paid).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    const payments = await paymentsOf(service, payable);
    expect(payments.map(({ state }) => state)).toEqual(['failed', 'failed', 'captured']);
    expect(paid.body.paymentId).toBe(payments[2]?.id);
  });

  it('has no body to send, so an empty one with Content-Type: application/json is fine', async () => {
    const payable = await preparePayable(service);
    const paid = await payable.pay({ headers: { 'content-type': 'application/json' } });
    expect(paid).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
  });

  it('answers 404 alike for an unknown invoice, another company and an id that is no UUID', async () => {
    const payable = await preparePayable(service);
    const stranger = await signUpAdmin(service);
    const ask = (id: string) => service.call('PUT', `/payments/orders/${id}/pay`, { token: stranger.token });
    const answers = [await ask(payable.invoice.id), await ask(randomUUID()), await ask('INV-000001')];
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body.error.message).toBe(answers[0]?.body.error.message);
    }
    expect((await readInvoice(service, payable)).status).toBe('Processing');
  });
});

describe('what is charged', () => {
  it.each([
    ['10.10', 'USD', 1_010n],
    ['0.01', 'USD', 1n],
    ['100', 'JPY', 100n],
    ['1.234', 'KWD', 1_234n],
    ['90071992547409.93', 'USD', 9_007_199_254_740_993n],
  ])('is the exact total in minor units: %s %s', async (amount, currency, minor) => {
    const payable = await preparePayable(service, { invoice: line(amount, currency) });
    expect((await payable.pay()).status).toBe(200);
    expect(await capturesOf(service, payable)).toMatchObject([{ amountMinor: minor, currency }]);
  });

  it('is the default card when there are several', async () => {
    const payable = await preparePayable(service);
    const cardId = await saveCard(service, payable.admin, { cardNumber: CARDS.mastercard, isDefault: true });
    await saveCard(service, payable.admin, { cardNumber: CARDS.declined });
    expect((await payable.pay()).status).toBe(200);
    const { payment } = await readInvoice(service, payable);
    expect(payment).toMatchObject({ cardId, method: 'Card', gateway: 'sandbox', card: { brand: 'mastercard' } });
  });

  it('is nothing without a card, or with several and no default: 402 payment_method_required', async () => {
    const admin = await signUpAdmin(service);
    const payable = await prepareInvoice(service, admin);
    const calls = await gatewayCalls();
    const without = await payable.pay();
    expect(without).toMatchObject({ status: 402, body: { error: { code: 'payment_method_required' } } });
    await saveCard(service, admin);
    await saveCard(service, admin);
    const undecided = await payable.pay();
    expect(undecided).toMatchObject({ status: 402, body: { error: { code: 'payment_method_required' } } });
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing', payment: null });
    expect((await gatewayCalls()).create).toBe(calls.create);
  });

  it('is no card for a paypal invoice: 402 payment_method_required', async () => {
    const payable = await preparePayable(service, { invoice: { method: 'paypal' } });
    expect(await payable.pay()).toMatchObject({ status: 402, body: { error: { code: 'payment_method_required' } } });
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing', payment: null });
  });

  it.each(['Card', 'paypal'])('an invoice of zero (%s) is paid without a card and without a charge', async (method) => {
    const payable = await prepareInvoice(service, await signUpAdmin(service), { ...line('0'), method });
    const calls = await gatewayCalls();
    const paid = await payable.pay();
    expect(paid).toMatchObject({ status: 200, body: { status: 'Succeeded', total: '0.00' } });
    expect((await payable.pay()).body).toEqual(paid.body);
    const { payment } = await readInvoice(service, payable);
    const { paymentId } = paid.body;
    expect(payment).toMatchObject({ id: paymentId, gateway: 'none', cardId: null, card: null, status: 'Succeeded' });
    expect(await gatewayCalls()).toEqual(calls);
  });
});

describe('Idempotency-Key on pay', () => {
  it('replays a 200 with Idempotent-Replayed', async () => {
    const payable = await preparePayable(service);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await payable.pay({ headers });
    const second = await payable.pay({ headers });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second).toMatchObject({ status: 200, text: first.text });
  });

  it('replays a 402 even when another card would pay by now; another key charges that one', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.lost });
    const headers = { 'idempotency-key': randomUUID() };
    const refused = await payable.pay({ headers });
    expect(refused.body.error).toMatchObject({ code: 'card_declined', declineCode: 'lost_card' });
    await saveCard(service, payable.admin, { isDefault: true });
    const replayed = await payable.pay({ headers });
    expect(replayed).toMatchObject({ status: 402, body: { error: { declineCode: 'lost_card' } } });
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect((await payable.pay({ headers: { 'idempotency-key': randomUUID() } })).status).toBe(200);
  });

  it('is another key on another invoice', async () => {
    const payable = await preparePayable(service);
    const other = await prepareInvoice(service, payable.admin);
    const headers = { 'idempotency-key': randomUUID() };
    await payable.pay({ headers });
    const paid = await other.pay({ headers });
    expect(paid.headers.get('idempotent-replayed')).toBeNull();
    expect(paid).toMatchObject({ status: 200, body: { id: other.invoice.id } });
  });
});
