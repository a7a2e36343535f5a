/** The collection of invoices whose bank wants the charge confirmed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { answerBank, letExpire } from '../../../test/confirmations/confirmation.ts';
import { CARDS, expectStatus, saveCard } from '../../../test/customers/actors.ts';
import { mailAbout, mailsAbout } from '../../../test/mail/money-mails.ts';
import { capturesOf, expectSoundBooks } from '../../../test/payments/charge.ts';
import {
  type CollectionService,
  collectAfterDays,
  type Debtor,
  outcomesOf,
  prepareDebtor,
  readDebt,
  startCollectionService,
} from '../../../test/payments/collection.ts';

let service: CollectionService;
beforeAll(async () => {
  service = await startCollectionService();
});
afterAll(async () => service?.stop());
afterEach(async () => expectSoundBooks(service));

const pay = ({ admin: { token }, invoiceId }: Debtor) =>
  service.call('PUT', `/payments/orders/${invoiceId}/pay`, { token });

async function prepareWaiting(cardNumber = CARDS.asksAlways, collection = 'automatic') {
  const settings = { collection, dunningDays: [4, 7] };
  const debtor = await prepareDebtor(service, { cardNumber, settings });
  await service.collect();
  const { payment } = await readDebt(service, debtor);
  return { debtor, payment, secret: payment.nextAction?.clientSecret as string };
}

describe('a charge that the bank wants confirmed', () => {
  it('waits, by the card, and the company is told once where to confirm it', async () => {
    const { debtor, payment, secret } = await prepareWaiting(CARDS.asksUnlessSetUp);
    const shown = await readDebt(service, debtor);
    expect(shown).toMatchObject({
      status: 'Processing',
      collection: { state: 'awaiting_confirmation', nextAttemptAt: null, dunningStep: 0 },
      payment: { status: 'RequiresAction', initiator: 'automatic' },
    });
    for (let days = 0; days < 20; days += 1) await collectAfterDays(service, 1);
    expect(await outcomesOf(service, debtor)).toEqual(['RequiresAction']);
    const mail = await mailAbout(service, debtor.invoiceId, 'confirmation_needed');
    expect(mail.to).toEqual([debtor.admin.email]);
    expect(mail.text).toContain(`Confirm the payment:\n${payment.nextAction.url}`);
    expect(JSON.stringify(mail)).not.toContain(secret);
    expect((await pay(debtor)).body.error).toMatchObject({ paymentId: payment.id, nextAction: payment.nextAction });
    await answerBank(service, secret);
    await service.reconcileNow();
    expect(await readDebt(service, debtor)).toMatchObject({ status: 'Succeeded', collection: { state: 'closed' } });
    expect(await mailsAbout(service, debtor.invoiceId, 'payment_failed')).toEqual([]);
  });

  it('is declined off session by a card that asks on session alone', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.asksOnSession });
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual(['Failed insufficient_funds']);
  });

  it.each(['refused', 'expired'])('counts as a refusal when it is %s, from its end on', async (end) => {
    const { debtor, secret } = await prepareWaiting();
    service.passHours(12);
    if (end === 'refused') await answerBank(service, secret, 'fail');
    else await letExpire(service);
    await service.reconcileNow();
    await service.collect();
    const { collection, status } = await readDebt(service, debtor);
    const nextAttemptAt = new Date(service.now().getTime() + 4 * 86_400_000).toISOString();
    expect({ status, ...collection }).toMatchObject({
      status: 'Failed',
      state: 'scheduled',
      dunningStep: 1,
      nextAttemptAt,
    });
    await mailAbout(service, debtor.invoiceId, 'payment_failed');
  });
});

describe('a collection whose payment was canceled', () => {
  it('goes on at once with what is left after a credit note', async () => {
    const { debtor } = await prepareWaiting();
    expectStatus(await credit(service, debtor.invoiceId, { amount: '8.00' }), 201);
    await service.collect();
    await service.collect();
    const { attempts, collection } = await readDebt(service, debtor);
    expect(attempts).toMatchObject([
      { status: 'Failed', failureReason: 'canceled', amount: '48.00' },
      { status: 'RequiresAction', amount: '40.00' },
    ]);
    expect(collection).toMatchObject({ state: 'awaiting_confirmation', dunningStep: 0 });
    expect(await mailsAbout(service, debtor.invoiceId, 'payment_failed')).toEqual([]);
  });

  it.each(['automatic', 'by_card'])('waits for a card when its own was deleted (%s)', async (setting) => {
    const { debtor, payment } = await prepareWaiting(CARDS.asksAlways, setting);
    const path = `/payments/cards/${payment.cardId}`;
    expectStatus(await service.call('DELETE', path, { token: debtor.admin.token }), 204);
    await service.collect();
    expect((await readDebt(service, debtor)).collection.state).toBe('awaiting_payment_method');
    await saveCard(service, debtor.admin, { cardNumber: CARDS.visa, isDefault: true });
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual(['Failed canceled', 'Succeeded']);
  });

  it('ends with a void', async () => {
    const { debtor } = await prepareWaiting();
    expectStatus(await voidInvoice(service, debtor.invoiceId), 200);
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual(['Failed canceled']);
  });
});

describe('another card', () => {
  it('is not charged because it is saved, but once it is the default', async () => {
    const { debtor, secret } = await prepareWaiting();
    const { token } = debtor.admin;
    const saved = await saveCard(service, debtor.admin, { cardNumber: CARDS.visa });
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual(['RequiresAction']);
    const info = { expMonth: 12, expYear: new Date().getUTCFullYear() + 5 };
    expectStatus(
      await service.call('PUT', `/payments/cards/${saved}`, { token, body: { isDefault: true, info } }),
      200,
    );
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual(['Failed canceled', 'Succeeded']);
    expect((await answerBank(service, secret)).status).toBe(409);
    expect(await capturesOf(service, { invoice: { id: debtor.invoiceId } })).toHaveLength(1);
  });

  it('is not charged while the gateway does not say that the first one is canceled', async () => {
    const { debtor, secret } = await prepareWaiting();
    const { token } = debtor.admin;
    const saved = await saveCard(service, debtor.admin, { cardNumber: CARDS.visa });
    const info = { expMonth: 12, expYear: new Date().getUTCFullYear() + 5 };
    await service.call('PUT', `/payments/cards/${saved}`, { token, body: { isDefault: true, info } });
    await service.sandbox.armFault({ operation: 'cancel', kind: 'outage' });
    await service.collect();
    expect(await readDebt(service, debtor)).toMatchObject({
      collection: { state: 'awaiting_confirmation', nextAttemptAt: null },
      attempts: [{ status: 'RequiresAction' }],
    });
    await service.sandbox.clearFaults();
    await answerBank(service, secret);
    service.passHours(1);
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual(['Succeeded']);
  });
});

it('nothing is collected while a payment by hand waits, and its refusal is a step of the schedule', async () => {
  const debtor = await prepareDebtor(service, { cardNumber: CARDS.asksAlways });
  const { error } = expectStatus(await pay(debtor), 402).body;
  await service.collect();
  expect(await readDebt(service, debtor)).toMatchObject({
    collection: { state: 'awaiting_confirmation', nextAttemptAt: null },
  });
  expect(await outcomesOf(service, debtor)).toEqual(['RequiresAction']);
  expect(await mailsAbout(service, debtor.invoiceId, 'confirmation_needed')).toEqual([]);
  await answerBank(service, error.nextAction.clientSecret, 'fail');
  await service.reconcileNow();
  await service.collect();
  expect((await readDebt(service, debtor)).collection).toMatchObject({ state: 'scheduled', dunningStep: 1 });
});
