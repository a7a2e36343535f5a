import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, putSettings } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { CARDS, expectStatus, issueInvoice, renewCard, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
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

const addDays = (instant: Date, days: number) => new Date(instant.getTime() + days * 86_400_000).toISOString();
const capturesOfDebt = ({ invoiceId }: Debtor) => capturesOf(service, { invoice: { id: invoiceId } });
const pay = ({ admin: { token }, invoiceId }: Debtor) =>
  service.call('PUT', `/payments/orders/${invoiceId}/pay`, { token });
const INSUFFICIENT = 'Failed insufficient_funds';

describe('what is due', () => {
  it('is charged to the default card, once, and each attempt is shown', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa });
    expect(await readDebt(service, debtor)).toMatchObject({
      status: 'Processing',
      payment: null,
      attempts: [],
      dueAt: service.now().toISOString(),
      collection: { state: 'scheduled', nextAttemptAt: service.now().toISOString(), dunningStep: 0 },
    });
    await service.collect();
    await service.collect();
    const paid = await readDebt(service, debtor);
    expect(paid).toMatchObject({
      status: 'Succeeded',
      collection: { state: 'closed', nextAttemptAt: null, dunningStep: 0 },
      attempts: [
        {
          id: paid.paymentId,
          initiator: 'automatic',
          status: 'Succeeded',
          amount: '48.00',
          creditAmount: '0.00',
          currency: 'USD',
          failureReason: null,
          declineCode: null,
          card: { brand: 'visa', cardNumber: '4242********4242' },
        },
      ],
    });
    expect(paid.payment).toEqual(paid.attempts[0]);
    expect(await capturesOfDebt(debtor)).toHaveLength(1);
  });

  it('comes so many net days after the issue, by the settings of then', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa, settings: { netDays: 14 } });
    const dueAt = addDays(service.now(), 14);
    expectStatus(await putSettings(service, debtor.admin.companyId, { netDays: 0 }), 200);
    service.passHours(14 * 24 - 1);
    await service.collect();
    expect(await readDebt(service, debtor)).toMatchObject({ status: 'Processing', attempts: [], dueAt });
    service.passHours(1);
    await service.collect();
    expect(await readDebt(service, debtor)).toMatchObject({ status: 'Succeeded', dueAt });
  });

  it('takes the credit before the card', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa });
    await grantCredit(service, debtor.admin.companyId, { amount: '20.00' });
    const covered = await prepareDebtor(service, { settings: { collection: 'automatic' } });
    await grantCredit(service, covered.admin.companyId, { amount: '48.00' });
    await service.collect();
    const [attempt] = (await readDebt(service, debtor)).attempts;
    expect(attempt).toMatchObject({ status: 'Succeeded', amount: '28.00', creditAmount: '20.00' });
    const paid = await readDebt(service, covered);
    expect(paid).toMatchObject({ status: 'Succeeded', attempts: [{ amount: '0.00', card: null, gateway: 'none' }] });
  });

  it('is not charged when it is zero, credited wholly or void', async () => {
    const details = [{ title: 'Free', path: '/v1/free', totalRequest: 1, currency: 'USD', amount: '0' }];
    const zero = await prepareDebtor(service, { cardNumber: CARDS.visa, invoice: { details } });
    const credited = await prepareDebtor(service, { cardNumber: CARDS.visa });
    expectStatus(await credit(service, credited.invoiceId, { amount: '48.00' }), 201);
    const voided = await prepareDebtor(service, { cardNumber: CARDS.visa });
    expectStatus(await voidInvoice(service, voided.invoiceId), 200);
    await service.collect();
    for (const debtor of [zero, credited, voided]) {
      expect(await capturesOfDebt(debtor)).toEqual([]);
      expect(await readDebt(service, debtor)).toMatchObject({ collection: { state: 'closed' } });
    }
    expect(await readDebt(service, voided)).toMatchObject({ status: 'Processing', attempts: [] });
    expect(await readDebt(service, zero)).toMatchObject({ status: 'Succeeded' });
  });

  it('is paid when it is zero, without a card and whatever the setting', async () => {
    const details = [{ title: 'Free', path: '/v1/free', totalRequest: 1, currency: 'USD', amount: '0' }];
    const cardless = await prepareDebtor(service, { invoice: { details } });
    const manual = await prepareDebtor(service, { settings: { collection: 'manual' }, invoice: { details } });
    await service.collect();
    for (const debtor of [cardless, manual]) {
      expect(await readDebt(service, debtor)).toMatchObject({
        status: 'Succeeded',
        attempts: [{ amount: '0.00', card: null, gateway: 'none', initiator: 'automatic' }],
        collection: { state: 'closed' },
      });
    }
  });
});

describe('what is refused', () => {
  it('is tried again after two days, and paid then', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa });
    await service.sandbox.armFault({ operation: 'confirm', kind: 'declined', declineCode: 'insufficient_funds' });
    await service.collect();
    const refusedAt = service.now();
    expect(await readDebt(service, debtor)).toMatchObject({
      status: 'Failed',
      collection: { state: 'scheduled', nextAttemptAt: addDays(refusedAt, 2), dunningStep: 1 },
    });
    service.passHours(47);
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual([INSUFFICIENT]);
    service.passHours(1);
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual([INSUFFICIENT, 'Succeeded']);
    expect(await readDebt(service, debtor)).toMatchObject({ status: 'Succeeded', collection: { state: 'closed' } });
  });

  it('is tried after 2, 5, 7 and 7 days, and then left Failed until there is another default card', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
    await service.collect();
    for (const [step, days] of [2, 5, 7, 7].entries()) {
      const { collection } = await readDebt(service, debtor);
      expect(collection).toMatchObject({ dunningStep: step + 1, nextAttemptAt: addDays(service.now(), days) });
      await collectAfterDays(service, days);
    }
    await collectAfterDays(service, 100);
    expect(await outcomesOf(service, debtor)).toEqual(Array(5).fill(INSUFFICIENT));
    expect(await readDebt(service, debtor)).toMatchObject({
      status: 'Failed',
      collection: { state: 'exhausted', nextAttemptAt: null, dunningStep: 5 },
    });
    await saveCard(service, debtor.admin, { cardNumber: CARDS.mastercard, isDefault: true });
    await service.collect();
    expect(await readDebt(service, debtor)).toMatchObject({ status: 'Succeeded' });
  });

  it('is tried on the company’s own days', async () => {
    const settings = { dunningDays: [1] };
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds, settings });
    const never = await prepareDebtor(service, { cardNumber: CARDS.declined, settings: { dunningDays: [] } });
    await service.collect();
    await collectAfterDays(service, 1);
    await collectAfterDays(service, 60);
    expect(await outcomesOf(service, debtor)).toEqual([INSUFFICIENT, INSUFFICIENT]);
    expect(await outcomesOf(service, never)).toEqual(['Failed generic_decline']);
    expect(await readDebt(service, never)).toMatchObject({ status: 'Failed', collection: { state: 'exhausted' } });
  });

  it('goes to a new default card at once, which has the whole schedule', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
    await service.collect();
    await collectAfterDays(service, 2);
    expect(await readDebt(service, debtor)).toMatchObject({ collection: { dunningStep: 2 } });
    await saveCard(service, debtor.admin, { cardNumber: CARDS.declined, isDefault: true });
    await service.collect();
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual([INSUFFICIENT, INSUFFICIENT, 'Failed generic_decline']);
    expect(await readDebt(service, debtor)).toMatchObject({
      collection: { dunningStep: 1, nextAttemptAt: addDays(service.now(), 2) },
    });
  });

  it('goes to a renewed card at once, which has the whole schedule', async () => {
    const settings = { dunningDays: [1] };
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds, settings });
    await service.collect();
    await collectAfterDays(service, 1);
    expect(await readDebt(service, debtor)).toMatchObject({ collection: { state: 'exhausted' } });
    await renewCard(service, debtor.admin);
    await service.collect();
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual([INSUFFICIENT, INSUFFICIENT, INSUFFICIENT]);
    expect(await readDebt(service, debtor)).toMatchObject({
      collection: { state: 'scheduled', dunningStep: 1, nextAttemptAt: addDays(service.now(), 1) },
    });
  });

  // Security (Card numbers and keys): The automatic collection does not try one new default card after the other
  it('one new default card after the other is tried at once, up to 20 times an hour, and the next an hour later', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.declined });
    await service.collect();
    for (let card = 1; card <= 24; card += 1) {
      await saveCard(service, debtor.admin, { cardNumber: CARDS.declined, isDefault: true });
      await service.collect();
    }
    const { attempts, collection } = await readDebt(service, debtor);
    expect(attempts).toHaveLength(20);
    expect(collection).toMatchObject({ state: 'scheduled', nextAttemptAt: addDays(service.now(), 1 / 24) });
    const { companyId } = debtor.admin;
    const path = `/operator/alerts?kind=card_testing_suspected&companyId=${companyId}`;
    const alerts = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body.data;
    expect(alerts).toMatchObject([{ invoiceId: debtor.invoiceId }]);

    await saveCard(service, debtor.admin, { isDefault: true });
    await service.collect();
    expect(await readDebt(service, debtor)).toMatchObject({ status: 'Failed' });
    await service.database.owner`
      UPDATE payments SET created_at = created_at - interval '1 hour' WHERE company_id = ${companyId}`;
    service.passHours(1);
    await service.collect();
    expect(await readDebt(service, debtor)).toMatchObject({ status: 'Succeeded' });
  });

  it('for good, is tried with no invoice until the card is another one', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.lost });
    await service.collect();
    const lost = 'Failed lost_card';
    expect(await readDebt(service, debtor)).toMatchObject({
      status: 'Failed',
      collection: { state: 'awaiting_payment_method', nextAttemptAt: null },
    });
    const { id } = await issueInvoice(service, debtor.admin.companyId);
    const second = { ...debtor, invoiceId: id };
    // A card that is not charged changes nothing.
    await saveCard(service, debtor.admin, { cardNumber: CARDS.visa });
    await collectAfterDays(service, 30);
    expect(await outcomesOf(service, debtor)).toEqual([lost]);
    expect(await readDebt(service, second)).toMatchObject({
      attempts: [],
      collection: { state: 'awaiting_payment_method' },
    });
    await saveCard(service, debtor.admin, { cardNumber: CARDS.mastercard, isDefault: true });
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual([lost, 'Succeeded']);
    expect(await outcomesOf(service, second)).toEqual(['Succeeded']);
  });
});

describe('what is collected by hand', () => {
  it('waits: with `manual`, or without a default card, until the setting or the card changes', async () => {
    const manual = await prepareDebtor(service, { cardNumber: CARDS.visa, settings: { collection: 'manual' } });
    const admin = await signUpAdmin(service);
    await saveCard(service, admin);
    const cardless = { admin, invoiceId: (await issueInvoice(service, admin.companyId)).id };
    await service.collect();
    for (const debtor of [manual, cardless]) {
      expect(await readDebt(service, debtor)).toMatchObject({
        status: 'Processing',
        attempts: [],
        collection: { state: 'manual', nextAttemptAt: null },
      });
    }
    expectStatus(await putSettings(service, manual.admin.companyId, { collection: 'automatic' }), 200);
    await saveCard(service, admin, { isDefault: true });
    await service.collect();
    expect(await outcomesOf(service, manual)).toEqual(['Succeeded']);
    expect(await outcomesOf(service, cardless)).toEqual(['Succeeded']);
  });

  it('stops being collected by itself: a schedule that runs, too', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
    await service.collect();
    expectStatus(await putSettings(service, debtor.admin.companyId, { collection: 'manual' }), 200);
    expect(await readDebt(service, debtor)).toMatchObject({ collection: { state: 'manual', nextAttemptAt: null } });
    await collectAfterDays(service, 2);
    expect(await outcomesOf(service, debtor)).toEqual([INSUFFICIENT]);
  });

  it('`automatic` without any card, and paypal without an account, wait for one', async () => {
    const settings = { collection: 'automatic' };
    const cardless = await prepareDebtor(service, { settings });
    const paypal = await prepareDebtor(service, { cardNumber: CARDS.visa, settings, invoice: { method: 'paypal' } });
    await service.collect();
    for (const debtor of [cardless, paypal]) {
      expect(await readDebt(service, debtor)).toMatchObject({
        status: 'Processing',
        attempts: [],
        collection: { state: 'awaiting_payment_method', dunningStep: 0 },
      });
    }
    // The only card is charged, as by hand.
    await saveCard(service, cardless.admin);
    await service.collect();
    expect(await outcomesOf(service, cardless)).toEqual(['Succeeded']);
    expect(await outcomesOf(service, paypal)).toEqual([]);
  });

  it('in between ends the schedule', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa });
    await service.sandbox.armFault({ operation: 'confirm', kind: 'declined', declineCode: 'insufficient_funds' });
    await service.collect();
    expect((await pay(debtor)).status).toBe(200);
    expect(await readDebt(service, debtor)).toMatchObject({ collection: { state: 'closed', nextAttemptAt: null } });
    await collectAfterDays(service, 2);
    const { attempts } = await readDebt(service, debtor);
    expect(attempts.map(({ initiator }: { initiator: string }) => initiator)).toEqual(['automatic', 'manual']);
    expect(await capturesOfDebt(debtor)).toHaveLength(1);
  });
});
