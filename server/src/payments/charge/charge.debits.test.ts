/** SEPA direct debits: the money is on its way for a while, then the debit settles or comes back. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { putSettings } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { CARDS, expectStatus, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { IBANS, saveMandate } from '../../../test/customers/card-setups.ts';
import { mailAbout } from '../../../test/mail/money-mails.ts';
import {
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentOf,
  paymentsOf,
  prepareInvoice,
} from '../../../test/payments/charge.ts';
import { type CollectionService, startCollectionService } from '../../../test/payments/collection.ts';

let service: CollectionService;
beforeAll(async () => {
  service = await startCollectionService();
});
afterAll(async () => service?.stop());
afterEach(async () => expectSoundBooks(service));

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const EURO = { details: [{ title: 'Support', currency: 'EUR', amount: '48.00' }] };
async function prepare(iban: string, settings: object = {}): Promise<Payable & { cardId: string }> {
  const admin = await signUpAdmin(service);
  await putSettings(service, admin.companyId, settings);
  const { id: cardId } = await saveMandate(service, admin, iban);
  return { ...(await prepareInvoice(service, admin, EURO)), cardId };
}
const read = async ({ admin: { token }, invoice: { id } }: Pick<Payable, 'admin' | 'invoice'>) =>
  expectStatus(await service.call('GET', `/payments/orders/${id}`, { token }), 200).body;
/** Ends the debits at the bank, and looks. */
async function endDebits(): Promise<void> {
  await service.sandbox.endDelays();
  await service.reconcileNow();
}

describe('a debit', () => {
  it('is 202 and Processing while its money is on its way, and pays its invoice when it settles', async () => {
    const payable = await prepare(IBANS.settlesLater);
    const { body } = expectStatus(await payable.pay(), 202);
    expect(body).toMatchObject({ status: 'Processing', paymentId: null });
    await service.reconcileNow();
    const onItsWay = await read(payable);
    expect(onItsWay).toMatchObject({
      ...{ status: 'Processing', collection: { state: 'awaiting_outcome', nextAttemptAt: null } },
      payment: { status: 'Processing', method: 'Card', cardId: payable.cardId, nextAction: null },
    });
    expect(onItsWay.payment.card).toEqual({ brand: 'sepa_debit', cardNumber: 'DE****************3003' });
    expect(await capturesOf(service, payable)).toHaveLength(0);
    const [again, ...others] = await Promise.all([payable.pay(), payable.pay()]);
    for (const answer of [again, ...others]) expectStatus(answer, 202);
    await endDebits();
    expect(await read(payable)).toMatchObject({
      ...{ status: 'Succeeded', collection: { state: 'closed' } },
      payment: { id: onItsWay.payment.id, status: 'Succeeded' },
    });
    expect(await capturesOf(service, payable)).toHaveLength(1);
    expect(await paymentsOf(service, payable)).toHaveLength(1);
  });

  it('that comes back is declined with the code of the gateway, and the collection goes on', async () => {
    const payable = await prepare(IBANS.failsLater);
    expectStatus(await payable.pay(), 202);
    await endDebits();
    expect(await read(payable)).toMatchObject({
      status: 'Failed',
      payment: { status: 'Failed', failureReason: 'declined', declineCode: 'insufficient_funds' },
    });
    await service.collect();
    expect((await read(payable)).collection).toMatchObject({ state: 'scheduled', dunningStep: 1 });
    await saveCard(service, payable.admin, { cardNumber: CARDS.visa, isDefault: true });
    expectStatus(await payable.pay(), 200);
  });

  it('that comes back before its invoice is due is tried again when it is, and the mail says on which day', async () => {
    const payable = await prepare(IBANS.failsLater, { netDays: 14, dunningDays: [3, 20] });
    expectStatus(await payable.pay(), 202);
    await endDebits();
    await service.collect();
    const { dueAt, collection } = await read(payable);
    expect(collection).toMatchObject({ state: 'scheduled', dunningStep: 1, nextAttemptAt: dueAt });
    const { text } = await mailAbout(service, payable.invoice.id, 'payment_failed');
    expect(text).toContain(`We will try again on ${DAY.format(new Date(dueAt))}.`);
  });

  it('that comes back is not tried again for a company that pays by hand, and the mail says so', async () => {
    const payable = await prepare(IBANS.failsLater, { collection: 'manual' });
    expectStatus(await payable.pay(), 202);
    await endDebits();
    await service.collect();
    expect((await read(payable)).collection).toMatchObject({ state: 'manual', nextAttemptAt: null });
    const { text } = await mailAbout(service, payable.invoice.id, 'payment_failed');
    expect(text).toContain('We will not try again by ourselves. Please pay the invoice.');
    expect(text).toMatch(/The direct debit for your invoice \S+ has failed, so the invoice is not paid\./);
    expect(text).not.toContain('nothing was charged');
  });

  it('can’t be canceled: voiding and crediting its invoice is 409, and deleting the mandate does not stop it', async () => {
    const payable = await prepare(IBANS.settlesLater);
    const { companyId, token } = payable.admin;
    expectStatus(await payable.pay(), 202);
    const refusals = [
      await voidInvoice(service, payable.invoice.id),
      await credit(service, payable.invoice.id, { amount: '1.00' }),
    ];
    for (const refusal of refusals) expect(expectStatus(refusal, 409).body.error.code).toBe('payment_in_progress');
    expectStatus(await service.call('DELETE', `/payments/cards/${payable.cardId}`, { token }), 204);
    expect(await paymentOf(service, payable)).toMatchObject({ companyId, state: 'processing' });
    await endDebits();
    expect(await read(payable)).toMatchObject({ status: 'Succeeded' });
  });

  it('is begun by the collection, which waits for it', async () => {
    const payable = await prepare(IBANS.settlesLater);
    await service.collect();
    expect(await read(payable)).toMatchObject({
      payment: { status: 'Processing', initiator: 'automatic' },
      collection: { state: 'awaiting_outcome' },
    });
    await service.collect();
    expect(await paymentsOf(service, payable)).toHaveLength(1);
    await endDebits();
    expect(await read(payable)).toMatchObject({ status: 'Succeeded', collection: { state: 'closed' } });
  });

  it('that has not ended after 14 days goes under review, also while the gateway is away, and an operator ends it', async () => {
    const payable = await prepare(IBANS.settlesLater);
    expectStatus(await payable.pay(), 202);
    const [row] = await service.database.owner<[{ days: number }]>`
      SELECT extract(days FROM expires_at - created_at)::int AS days FROM payments WHERE invoice_id = ${payable.invoice.id}`;
    expect([13, 14]).toContain(row.days);
    await service.database.owner`UPDATE payments SET expires_at = now() WHERE invoice_id = ${payable.invoice.id}`;
    await service.sandbox.armFault({ operation: 'any', kind: 'outage', times: null });
    await service.reconcileNow();
    expect(await read(payable)).toMatchObject({ payment: { status: 'NeedsReview' } });
    await service.sandbox.clearFaults();
    const { id } = await paymentOf(service, payable);
    const resolve = (outcome: string) =>
      service.call('POST', `/operator/payments/${id}/resolve`, { token: service.operatorKey, body: { outcome } });
    // Its money is still on its way, so neither outcome is true.
    for (const outcome of ['failed', 'succeeded']) expectStatus(await resolve(outcome), 409);
    await service.sandbox.endDelays();
    expectStatus(await resolve('succeeded'), 200);
    expect(await read(payable)).toMatchObject({ status: 'Succeeded' });
  });

  it('that is taken back after it has settled is a lost dispute', async () => {
    const payable = await prepare(IBANS.isDisputed);
    expectStatus(await payable.pay(), 202);
    await endDebits();
    expect(await read(payable)).toMatchObject({ status: 'Succeeded' });
    const { body } = await service.call('GET', '/operator/disputes', { token: service.operatorKey });
    const { id } = await paymentOf(service, payable);
    expect(body.data.filter((dispute: { paymentId: string }) => dispute.paymentId === id)).toMatchObject([
      { status: 'Lost', amount: '48.00', currency: 'EUR', gateway: 'sandbox' },
    ]);
  });

  it('whose answer is lost is found, and is begun once', async () => {
    const payable = await prepare(IBANS.settlesLater);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expectStatus(await payable.pay(), 202);
    expect(await paymentOf(service, payable)).toMatchObject({ state: 'unknown' });
    await service.reconcileNow();
    expect(await paymentOf(service, payable)).toMatchObject({ state: 'processing' });
    await endDebits();
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });
});

describe('a mandate', () => {
  it('counts as not there for an invoice in another currency than EUR', async () => {
    const admin = await signUpAdmin(service);
    await saveMandate(service, admin);
    const dollars = await prepareInvoice(service, admin);
    expect(expectStatus(await dollars.pay(), 402).body.error.code).toBe('payment_method_required');
    await service.collect();
    expect(await paymentsOf(service, dollars)).toHaveLength(0);
    const cardId = await saveCard(service, admin, { isDefault: false });
    expectStatus(await dollars.pay(), 200);
    expect((await read(dollars)).payment.cardId).toBe(cardId);
    const euros = await prepareInvoice(service, admin, EURO);
    expectStatus(await euros.pay(), 202);
  });
});
