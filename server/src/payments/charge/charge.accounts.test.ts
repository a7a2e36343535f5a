/** The charge of a PayPal account, by the same protocol as for cards: what differs, and that the rest does not. */

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import {
  type Actor,
  CARDS,
  expectStatus,
  issueInvoice,
  saveCard,
  signUpAdmin,
} from '../../../test/customers/actors.ts';
import { deadlocksOf } from '../../../test/harness/database/deadlock.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
  settleAll,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { delayNext } from '../../../test/payments/delays.ts';
import { prepareAccountPayable, SETUPS, saveAccount } from '../../../test/payments/paypal-accounts.ts';
import { givenBack, postingsOf, postRefund } from '../../../test/payments/refunds.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

const REQUIRED = { status: 402, body: { error: { code: 'payment_method_required' } } };
const remove = ({ token }: Actor, id: string) => service.call('DELETE', `/payments/paypal-accounts/${id}`, { token });
const makeDefault = ({ token }: Actor, id: string, isDefault = true) =>
  service.call('PUT', `/payments/paypal-accounts/${id}`, { token, body: { isDefault } });

async function emailOf({ token }: Actor, id: string): Promise<string> {
  const { body } = await service.call('GET', '/payments/paypal-accounts', { token });
  return body.find((account: { id: string }) => account.id === id).email;
}

describe('an invoice of the method paypal', () => {
  it('is charged to the only account, and names it wherever its payment is shown', async () => {
    const payable = await prepareAccountPayable(service);
    const { admin, accountId, invoice } = payable;
    const paid = await payable.pay();
    expect(paid).toMatchObject({ status: 200, body: { status: 'Succeeded', method: 'paypal' } });
    expect(await capturesOf(service, payable)).toMatchObject([{ amountMinor: 4_800n, currency: 'USD' }]);

    const { payment } = await readInvoice(service, payable);
    const paypalAccount = { id: accountId, email: await emailOf(admin, accountId) };
    const charged = { method: 'paypal', gateway: 'sandbox', cardId: null, card: null, paypalAccount, amount: '48.00' };
    expect(payment).toMatchObject({ id: paid.body.paymentId, status: 'Succeeded', ...charged });
    const { body } = await service.call('GET', `/payments/orders/${invoice.id}`, { token: admin.token });
    const attempt = { ...payment, disputes: [], refunds: [] };
    expect([body.payment, body.attempts]).toEqual([attempt, [attempt]]);
    const operator = { token: service.operatorKey };
    const listed = await service.call('GET', `/operator/invoices?companyId=${admin.companyId}`, operator);
    expect(listed.body.data).toMatchObject([{ id: invoice.id, payment }]);
    const { data: events } = (
      await service.call('GET', `/operator/events?companyId=${admin.companyId}&perPage=100`, operator)
    ).body;
    const paymentEvents = events.filter(({ type }: { type: string }) => type.startsWith('payment.')).reverse();
    expect(paymentEvents.map(({ type }: { type: string }) => type)).toEqual(['payment.started', 'payment.captured']);
    for (const { data } of paymentEvents) expect(data).toMatchObject(charged);
  });

  it('is found by the filter of the list, a card’s payment names no account', async () => {
    const admin = await signUpAdmin(service);
    await saveAccount(service, admin);
    await saveCard(service, admin);
    const byCard = await prepareInvoice(service, admin);
    const byPaypal = await prepareInvoice(service, admin, { method: 'paypal' });
    for (const { pay } of [byCard, byPaypal]) expectStatus(await pay(), 200);
    const list = async (method: string) =>
      (await service.call('GET', `/payments/orders?method=${method}`, { token: admin.token })).body.data;
    expect(await list('PayPal')).toMatchObject([{ id: byPaypal.invoice.id, payment: { cardId: null } }]);
    const [card, ...others] = await list('card');
    expect(others).toEqual([]);
    expect(card).toMatchObject({ id: byCard.invoice.id, payment: { card: { brand: 'visa' }, paypalAccount: null } });
  });

  it('is charged to the default account of several; without one, or without any, it is 402', async () => {
    const admin = await signUpAdmin(service);
    const payable = await prepareInvoice(service, admin, { method: 'paypal' });
    expect(await payable.pay()).toMatchObject(REQUIRED);
    const accountId = await saveAccount(service, admin);
    await saveAccount(service, admin, { setupToken: SETUPS.declined });
    const undecided = await payable.pay();
    expect(undecided).toMatchObject(REQUIRED);
    expect(undecided.body.error.message).toMatch(/PayPal account/);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing', payment: null });
    expectStatus(await makeDefault(admin, accountId), 200);
    expectStatus(await payable.pay(), 200);
    expect((await readInvoice(service, payable)).payment.paypalAccount.id).toBe(accountId);
  });

  it('is charged to no card, and one of the method Card to no account', async () => {
    const withCard = await preparePayable(service, { invoice: { method: 'paypal' } });
    expect(await withCard.pay()).toMatchObject(REQUIRED);
    const withAccount = await prepareAccountPayable(service, { invoice: { method: 'Card' } });
    const answer = await withAccount.pay();
    expect(answer).toMatchObject(REQUIRED);
    expect(answer.body.error.message).toMatch(/no card/);
    for (const payable of [withCard, withAccount]) expect(await paymentsOf(service, payable)).toEqual([]);
  });

  it('cannot name a card in the database, and an invoice of the method Card cannot name an account', async () => {
    const payable = await prepareAccountPayable(service);
    expectStatus(await payable.pay(), 200);
    const { id } = await paymentOf(service, payable);
    const write = service.database.owner`UPDATE payments SET method = 'Card' WHERE id = ${id}`;
    await expect(Promise.resolve(write)).rejects.toMatchObject({ constraint_name: 'payments_source_of_method' });
  });

  it.each([
    [SETUPS.declined, 'instrument_declined'],
    [SETUPS.closed, 'payer_account_locked_or_closed'],
  ])('that PayPal refuses (%s) is 402 card_declined with %s, and paid later from another account', async (...setup) => {
    const [setupToken, declineCode] = setup;
    const payable = await prepareAccountPayable(service, { setupToken });
    const refused = await payable.pay();
    expect(refused.status).toBe(402);
    expect(refused.body.error).toMatchObject({ code: 'card_declined', declineCode, message: expect.any(String) });
    expect(refused.body.error.message).toMatch(/^PayPal declined/);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Failed', payment: { declineCode } });
    const { gatewayPaymentId } = await paymentOf(service, payable);
    const { payments } = await service.sandbox.readLedger();
    expect(payments.find(({ id }) => id === gatewayPaymentId)).toMatchObject({ status: 'canceled' });
    await saveAccount(service, payable.admin, { isDefault: true });
    expectStatus(await payable.pay(), 200);
    expect((await paymentsOf(service, payable)).map(({ state }) => state)).toEqual(['failed', 'captured']);
  });

  it.each([
    ['create', 'answer_lost_before_effect'],
    ['create', 'answer_lost_after_effect'],
    ['confirm', 'answer_lost_before_effect'],
    ['confirm', 'answer_lost_after_effect'],
  ] as const)('whose %s has its %s is 202, then paid once', async (operation, kind) => {
    const payable = await prepareAccountPayable(service);
    await service.sandbox.armFault({ operation, kind });
    expect(await payable.pay()).toMatchObject({ status: 202, body: { status: 'Processing', paymentId: null } });
    await settleAll(service);
    const { id } = await paymentOf(service, payable);
    expect(await payable.pay()).toMatchObject({ status: 200, body: { paymentId: id } });
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('stays as it was while the gateway is out of reach: 503', async () => {
    const payable = await prepareAccountPayable(service);
    await service.takeGatewayAway();
    expectStatus(await payable.pay(), 503);
    await service.bringGatewayBack();
    expectStatus(await payable.pay(), 200);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });
});

describe('credit and refunds', () => {
  it('the credit is taken first: of all it covers no account is needed', async () => {
    const payable = await prepareAccountPayable(service);
    await grantCredit(service, payable.admin.companyId, { amount: '20.00' });
    expectStatus(await payable.pay(), 200);
    const { payment } = await readInvoice(service, payable);
    expect(payment).toMatchObject({ amount: '28.00', creditAmount: '20.00', paypalAccount: { id: payable.accountId } });

    const covered = await prepareInvoice(service, await signUpAdmin(service), { method: 'paypal' });
    await grantCredit(service, covered.admin.companyId, { amount: '48.00' });
    expectStatus(await covered.pay(), 200);
    const paid = await readInvoice(service, covered);
    expect(paid.payment).toMatchObject({ gateway: 'none', method: 'paypal', card: null, paypalAccount: null });
  });

  it('goes back to the credit when the account is declined', async () => {
    const payable = await prepareAccountPayable(service, { setupToken: `${SETUPS.declined}-2` });
    await grantCredit(service, payable.admin.companyId, { amount: '20.00' });
    expectStatus(await payable.pay(), 402);
    const { token } = payable.admin;
    const information = await service.call('GET', '/payments/billing-information', { token });
    expect(information.body.inStoreCredit).toBe(20);
  });

  it('a refund goes back to the account, in parts and once each', async () => {
    const payable = await prepareAccountPayable(service);
    const paymentId = expectStatus(await payable.pay(), 200).body.paymentId;
    const key = randomUUID();
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const refund = expectStatus(await postRefund(service, { paymentId }, { amount: '8.00' }, key), 201);
      expect(refund.body).toMatchObject({ amount: '8.00', cardAmount: '8.00', status: 'Succeeded' });
    }
    expectStatus(await remove(payable.admin, payable.accountId), 204);
    expectStatus(await postRefund(service, { paymentId }), 201);
    expect(await givenBack(service, payable)).toEqual([800n, 4_000n]);
    expect(await readInvoice(service, payable)).toMatchObject({ refundedTotal: '48.00', creditedTotal: '48.00' });
    expect(await postingsOf(service, payable.admin.companyId)).toContain('payment_captured cash:sandbox 48.00');
  });
});

/** Waits until this many connections of the database wait for a lock. */
async function expectWaiting(connections: number): Promise<void> {
  const count = async () => {
    const [row] = await service.database.owner<[{ waiting: number }]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row.waiting;
  };
  await expect.poll(count, { interval: 20 }).toBe(connections);
}

describe('what changes while an account is charged', () => {
  it('the account, deleted just before it is chosen: there is nothing to charge, and no payment', async () => {
    const { pay, admin, accountId, invoice } = await prepareAccountPayable(service);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const holding = service.database.db.begin(async (tx) => {
      await tx`SELECT 1 FROM paypal_accounts WHERE id = ${accountId} FOR UPDATE`;
      hold();
      await released;
    });
    await held;
    const deleting = remove(admin, accountId);
    await expectWaiting(1);
    const paying = pay();
    await expectWaiting(2).finally(release);
    await holding;
    expectStatus(await deleting, 204);
    expect(await paying).toMatchObject(REQUIRED);
    expect(await paymentsOf(service, { invoice })).toEqual([]);
  });

  it('the account, deleted: it is charged all the same, and the payment still names it', async () => {
    const payable = await prepareAccountPayable(service);
    const email = await emailOf(payable.admin, payable.accountId);
    const creation = await delayNext(service, 'create');
    const paying = payable.pay();
    await creation.arrived();
    expectStatus(await remove(payable.admin, payable.accountId), 204);
    await creation.end();
    expectStatus(await paying, 200);
    expect((await readInvoice(service, payable)).payment.paypalAccount).toEqual({ id: payable.accountId, email });
  });

  it('if its account is deleted and charged at once, one comes first, and neither ends in a 5xx', async () => {
    const payables = await Promise.all(Array.from({ length: 6 }, () => prepareAccountPayable(service)));
    const answers = await Promise.all(
      payables.map(async ({ pay, admin, accountId }) => (await Promise.all([pay(), remove(admin, accountId)]))[0]),
    );
    for (const [index, { status, body, text }] of answers.entries()) {
      expect([200, 402], text).toContain(status);
      if (status === 402) expect(body.error.code).toBe('payment_method_required');
      const payable = payables[index] ?? payables[0];
      if (payable) expect(await capturesOf(service, payable)).toHaveLength(status === 200 ? 1 : 0);
    }
  });

  it('the default, which moves back and forth: no pay falls between two defaults', async () => {
    const admin = await signUpAdmin(service);
    const [one, two] = [await saveAccount(service, admin, { isDefault: true }), await saveAccount(service, admin)];
    const payables = await Promise.all(
      Array.from({ length: 8 }, () => prepareInvoice(service, admin, { method: 'paypal' })),
    );
    let isPaying = true;
    const flip = async () => {
      for (let count = 0; isPaying; count += 1) {
        expectStatus(await makeDefault(admin, count % 2 === 0 ? two : one), 200);
      }
    };
    const flipping = flip();
    const statuses = await Promise.all(payables.map(async ({ pay }) => (await pay()).status)).finally(() => {
      isPaying = false;
    });
    await flipping;
    expect(statuses).toEqual(Array(8).fill(200));
    expect(await deadlocksOf(service.database)).toBe(0);
  });

  it('the same account at two companies: each is charged for its own', async () => {
    const setupToken = `${randomUUID()}-shared`;
    const [one, two] = [
      await prepareAccountPayable(service, { setupToken }),
      await prepareAccountPayable(service, { setupToken }),
    ];
    expect(await remove(two.admin, one.accountId)).toMatchObject({ status: 404 });
    for (const payable of [one, two]) {
      expectStatus(await payable.pay(), 200);
      expect((await readInvoice(service, payable)).payment.paypalAccount.id).toBe(payable.accountId);
    }
    await expect(
      Promise.resolve(
        service.database.owner`
          UPDATE payments SET paypal_account_id = ${one.accountId} WHERE company_id = ${two.admin.companyId}`,
      ),
    ).rejects.toMatchObject({ code: '23503' });
  });

  it('nothing of a card: its invoices are charged as before beside an account', async () => {
    const admin = await signUpAdmin(service);
    await saveAccount(service, admin, { isDefault: true, setupToken: `${SETUPS.closed}-7` });
    const cardId = await saveCard(service, admin, { cardNumber: CARDS.mastercard });
    const { id } = await issueInvoice(service, admin.companyId);
    const paid = await service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token });
    expectStatus(paid, 200);
    const { payment } = (await service.call('GET', `/payments/orders/${id}`, { token: admin.token })).body;
    expect(payment).toMatchObject({ cardId, card: { brand: 'mastercard' }, paypalAccount: null });
  });
});
