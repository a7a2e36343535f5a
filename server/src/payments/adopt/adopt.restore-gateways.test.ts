/** A database that goes back while Stripe or PayPal does not: what only they can do to it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, readLedger } from '../../../test/billing/credits.ts';
import { type Actor, expectStatus, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import {
  capturesOf,
  expectSoundBooks,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
} from '../../../test/payments/charge.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../../test/payments/paypal-charge.ts';
import { givenBack, postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';

let stripe: StripeChargeService;
let paypal: PayPalChargeService;
beforeAll(async () => {
  [stripe, paypal] = [await startStripeChargeService(), await startPayPalChargeService()];
});
afterEach(async () => {
  await expectSoundBooks(stripe);
  await expectSoundBooks(paypal);
});
afterAll(async () => {
  await stripe?.stop();
  await paypal?.stop();
});

describe('through Stripe, which lists the payments of a customer', () => {
  const backUpNow = () => backUp(stripe.database.owner);
  const customerOf = async ({ companyId }: Actor) => {
    const [row] = await stripe.database.owner<{ customer: string }[]>`
      SELECT customer FROM gateway_customers WHERE company_id = ${companyId}`;
    return row?.customer ?? '';
  };

  it('the customer is found again whom the database has lost with the first card, and Stripe the key of', async () => {
    const admin = await signUpAdmin(stripe);
    const payable = await prepareInvoice(stripe, admin);
    const { restore } = await backUpNow();
    await saveCard(stripe, admin);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    await stripe.sandbox.forgetIdempotencyKeys();
    await saveCard(stripe, admin);
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
    expect(await capturesOf(stripe, payable)).toHaveLength(1);
  });

  it('a customer who was deleted there and whose payments are not listed any more is asked for by the debt', async () => {
    const payable = await preparePayable(stripe);
    const { admin } = payable;
    const { restore } = await backUpNow();
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    stripe.stripe().books.customers.delete(await customerOf(admin));
    await saveCard(stripe, admin, { isDefault: true });
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
    const next = await prepareInvoice(stripe, admin);
    expectStatus(await next.pay(), 200);
    expect(await capturesOf(stripe, next)).toHaveLength(1);
  });

  it('a card of a deleted customer is refused, and the invoice can be paid with another one', async () => {
    const payable = await preparePayable(stripe);
    stripe.stripe().books.customers.delete(await customerOf(payable.admin));
    expectStatus(await payable.pay(), 402);
    await saveCard(stripe, payable.admin, { isDefault: true });
    expectStatus(await payable.pay(), 200);
    expect(await capturesOf(stripe, payable)).toHaveLength(1);
  });

  it('a capture is adopted although restored credit covers the invoice, and the card was deleted before', async () => {
    const payable = await preparePayable(stripe);
    const { companyId, token } = payable.admin;
    await grantCredit(stripe, companyId, { amount: '48.00' });
    const [card] = (await stripe.call('GET', '/payments/cards', { token })).body;
    const { restore } = await backUpNow();
    await grantCredit(stripe, companyId, { amount: '-48.00' });
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    expectStatus(await stripe.call('DELETE', `/payments/cards/${card.id}`, { token }), 204);
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
    expect((await readLedger(stripe, companyId)).balance).toBe('48.00');
    expect(await capturesOf(stripe, payable)).toHaveLength(1);
  });

  it('an account that may not search saves cards as before', async () => {
    const admin = await signUpAdmin(stripe);
    stripe.stripe().books.searches = false;
    await saveCard(stripe, admin);
    stripe.stripe().books.searches = true;
    expectStatus(await (await prepareInvoice(stripe, admin)).pay(), 200);
  });
});

describe('through PayPal, which lists no orders', () => {
  const backUpNow = () => backUp(paypal.database.owner);

  it('an order that was lost is closed, and the invoice is paid at once by the next one', async () => {
    const payable = await preparePayPalPayable(paypal);
    const { restore } = await backUpNow();
    await paypal.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expectStatus(await payable.pay(), 202);
    const { gatewayPaymentId: lost } = await paymentOf(paypal, payable);
    await restore();
    expectStatus(await payable.pay(), 200);
    expect(paypal.paypal().books.orders.get(lost ?? '')).toMatchObject({ status: 'CREATED', intent: 'AUTHORIZE' });
    expect(await capturesOf(paypal, payable)).toHaveLength(1);
  });

  it('an order that was captured is adopted before the search shows it, by the key that it was made with', async () => {
    const payable = await preparePayPalPayable(paypal);
    const { restore } = await backUpNow();
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    const { books } = paypal.paypal();
    books.searchLagMs = 3 * 3_600_000;
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
    books.searchLagMs = 0;
    expect(await capturesOf(paypal, payable)).toHaveLength(1);
  });

  it('a capture is adopted although restored credit covers the invoice', async () => {
    const payable = await preparePayPalPayable(paypal);
    const { companyId } = payable.admin;
    await grantCredit(paypal, companyId, { amount: '48.00' });
    const { restore } = await backUpNow();
    await grantCredit(paypal, companyId, { amount: '-48.00' });
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
    expect((await readLedger(paypal, companyId)).balance).toBe('48.00');
    expect(await capturesOf(paypal, payable)).toHaveLength(1);
  });

  it('a charge that is refused now does not fail the invoice that was paid before', async () => {
    const payable = await preparePayPalPayable(paypal);
    const { restore } = await backUpNow();
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    await paypal.sandbox.forgetIdempotencyKeys();
    // The payer has taken the agreement back, which PayPal says before it looks at the invoice id.
    const { accounts } = paypal.paypal().books;
    for (const id of accounts.keys()) accounts.set(id, null);
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
    const failed = await paypal.database.owner`
      SELECT 1 FROM events WHERE company_id = ${payable.admin.companyId} AND type = 'invoice.failed'`;
    expect(failed).toEqual([]);
  });

  it('a refund whose key and reason PayPal has no room for is the same refund when it is asked for again', async () => {
    const payable = await preparePayPalPayable(paypal);
    expectStatus(await payable.pay(), 200);
    const [{ id: paymentId } = { id: '' }] = await paymentsOf(paypal, payable);
    const { restore } = await backUpNow();
    const [key, body] = [`Order 7, first part ${'x'.repeat(60)}`, { amount: '8.00', reason: 'Outage '.repeat(60) }];
    const { id } = expectStatus(await postRefund(paypal, { paymentId }, body, key), 201).body;
    await restore();
    expect(expectStatus(await postRefund(paypal, { paymentId }, body, key), 201).body).toMatchObject({ id });
    expect(await refundsOf(paypal, { paymentId })).toHaveLength(1);
    expect(await givenBack(paypal, payable)).toEqual([800n]);
    expect((await readInvoice(paypal, payable)).status).toBe('Succeeded');
  });
});
