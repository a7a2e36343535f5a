import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, saveCard } from '../../../test/customers/actors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { capturesOf, expectSoundBooks, settleAll } from '../../../test/payments/charge.ts';
import {
  type CollectionService,
  collectAfterDays,
  type Debtor,
  outcomesOf,
  prepareDebtor,
  readDebt,
  startCollectionService,
} from '../../../test/payments/collection.ts';
import { delayNext, outcomeIsAwaited } from '../../../test/payments/delays.ts';
import { collect } from './collection.collect.ts';

let service: CollectionService;
beforeAll(async () => {
  service = await startCollectionService();
});
afterAll(async () => service?.stop());
afterEach(async () => expectSoundBooks(service));

const capturesOfDebt = ({ invoiceId }: Debtor) => capturesOf(service, { invoice: { id: invoiceId } });
const pay = ({ admin: { token }, invoiceId }: Debtor) =>
  service.call('PUT', `/payments/orders/${invoiceId}/pay`, { token });
const prepareDebtors = (count: number, cardNumber = CARDS.visa) =>
  Promise.all(Array.from({ length: count }, () => prepareDebtor(service, { cardNumber })));
const INSUFFICIENT = 'Failed insufficient_funds';

/** Every worker that has a lease is taken for dead. */
const expireLeases = () =>
  service.database.owner`UPDATE collections SET leased_until = now() - interval '1 second' WHERE lease IS NOT NULL`;

/** The gateway's process is gone for as long as the work takes. */
async function whileAway(work: () => Promise<unknown>): Promise<void> {
  await service.takeGatewayAway();
  try {
    await work();
  } finally {
    await service.bringGatewayBack();
  }
}

/** Runs `work` while an attempt of the collection is at the gateway. */
async function whileConfirming(work: () => Promise<unknown>): Promise<void> {
  const confirmation = await delayNext(service, 'confirm');
  const collecting = service.collect();
  await confirmation.arrived();
  await work();
  await confirmation.end();
  await collecting;
}

describe('while the gateway gives no answer', () => {
  it('an outage of six hours is no refusal: one of many invoices is tried now and then, and all are paid soon after', async () => {
    const debtors = await prepareDebtors(12);
    await whileAway(async () => {
      for (let quarters = 0; quarters < 24; quarters += 1) {
        expect(await service.collect()).toEqual({ awayGateways: ['sandbox'] });
        service.passHours(0.25);
      }
    });
    let tries = 0;
    for (const debtor of debtors) {
      const { status, attempts, collection } = await readDebt(service, debtor);
      expect([status, collection.state, collection.dunningStep]).toEqual(['Processing', 'scheduled', 0]);
      for (const attempt of attempts) expect(attempt).toMatchObject({ status: 'Failed', failureReason: 'not_sent' });
      tries += attempts.length;
    }
    // A round in which everybody tries would make 24 × 12.
    expect(tries).toBeGreaterThanOrEqual(24);
    expect(tries).toBeLessThanOrEqual(24 * 8);
    service.passHours(0.25);
    expect(await service.collect()).toEqual({ awayGateways: [] });
    for (const debtor of debtors) {
      expect(await readDebt(service, debtor)).toMatchObject({ status: 'Succeeded' });
      expect(await capturesOfDebt(debtor)).toHaveLength(1);
    }
  });

  it('an outage leaves the step of the schedule as it was', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
    await service.collect();
    await whileAway(() => collectAfterDays(service, 2));
    expect(await readDebt(service, debtor)).toMatchObject({ status: 'Failed', collection: { dunningStep: 1 } });
    service.passHours(0.25);
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual([INSUFFICIENT, 'Failed not_sent', INSUFFICIENT]);
    expect(await readDebt(service, debtor)).toMatchObject({ collection: { dunningStep: 2 } });
  });

  it('refused credentials of ours are an outage too', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa });
    await service.sandbox.armFault({ operation: 'create', kind: 'unauthorized' });
    expect(await service.collect()).toEqual({ awayGateways: ['sandbox'] });
    service.passHours(0.25);
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual(['Failed not_sent', 'Succeeded']);
  });

  it('an invoice whose payment has no outcome is not charged again until it is known', async () => {
    const [paid, refused] = [
      await prepareDebtor(service, { cardNumber: CARDS.visa }),
      await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds }),
    ];
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect', times: 2 });
    expect(await service.collect()).toEqual({ awayGateways: ['sandbox'] });
    await service.collect();
    await collectAfterDays(service, 30);
    for (const debtor of [paid, refused]) {
      expect(await outcomesOf(service, debtor)).toEqual(['Processing']);
      expect(await readDebt(service, debtor)).toMatchObject({
        status: 'Processing',
        collection: { state: 'awaiting_outcome', nextAttemptAt: null, dunningStep: 0 },
      });
    }
    await settleAll(service);
    await service.collect();
    expect(await outcomesOf(service, paid)).toEqual(['Succeeded']);
    expect(await readDebt(service, paid)).toMatchObject({ collection: { state: 'closed' } });
    expect(await readDebt(service, refused)).toMatchObject({
      status: 'Failed',
      collection: { state: 'scheduled', dunningStep: 1 },
    });
    expect(await outcomesOf(service, refused)).toHaveLength(1);
  });

  it('a payment under review blocks the schedule for good', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa });
    await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount' });
    await service.collect();
    await collectAfterDays(service, 30);
    expect(await readDebt(service, debtor)).toMatchObject({
      attempts: [{ status: 'NeedsReview' }],
      collection: { state: 'awaiting_outcome' },
    });
  });
});

describe('several at the same time', () => {
  it('workers make each attempt once', async () => {
    const debtors = [...(await prepareDebtors(6)), ...(await prepareDebtors(6, CARDS.insufficientFunds))];
    await Promise.all([service.collect(), service.collect(), service.collect()]);
    for (const debtor of debtors) expect(await outcomesOf(service, debtor)).toHaveLength(1);
  });

  it.each([
    ['is paid', CARDS.visa, 'Succeeded'],
    ['is refused', CARDS.insufficientFunds, INSUFFICIENT],
  ])(
    'a worker that takes over from one that is only slow makes no second attempt: it %s once',
    async (_, cardNumber, outcome) => {
      const debtor = await prepareDebtor(service, { cardNumber });
      await whileConfirming(async () => {
        await expireLeases();
        await service.collect();
      });
      await service.collect();
      expect(await outcomesOf(service, debtor)).toEqual([outcome]);
      const { collection } = await readDebt(service, debtor);
      expect(collection.dunningStep).toBe(outcome === INSUFFICIENT ? 1 : 0);
    },
  );

  it('a worker that slept through its lease notes nothing a second time', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
    const { invoiceId, admin } = debtor;
    const sleeper = { companyId: admin.companyId, invoiceId, attempt: 1, foundPaymentId: null, gateway: 'sandbox' };
    await service.collect();
    await collect({ ...service.dependencies, clock: service.now }, sleeper);
    expect(await outcomesOf(service, debtor)).toEqual([INSUFFICIENT]);
    expect(await readDebt(service, debtor)).toMatchObject({ collection: { dunningStep: 1 } });
  });

  it.each([
    ['is paid', CARDS.visa, 200, 'Succeeded'],
    ['is refused', CARDS.insufficientFunds, 402, INSUFFICIENT],
  ])('a pay by hand during an attempt waits for it: it %s once', async (_, cardNumber, status, outcome) => {
    const debtor = await prepareDebtor(service, { cardNumber });
    let paying: Promise<Answer> | undefined;
    await whileConfirming(async () => {
      paying = pay(debtor);
      await outcomeIsAwaited(service);
    });
    expect((await paying)?.status).toBe(status);
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual([outcome]);
  });

  it('an attempt during a pay by hand waits for it, and its refusal takes the place of a step', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
    const confirmation = await delayNext(service, 'confirm');
    const paying = pay(debtor);
    await confirmation.arrived();
    const collecting = service.collect();
    await outcomeIsAwaited(service);
    await confirmation.end();
    await collecting;
    expect((await paying).status).toBe(402);
    await service.collect();
    const { attempts, collection } = await readDebt(service, debtor);
    expect(attempts).toMatchObject([{ initiator: 'manual', status: 'Failed' }]);
    expect(collection).toMatchObject({ state: 'scheduled', dunningStep: 1 });
  });

  it('a new default card that comes during an attempt is tried at once when that is refused', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
    await whileConfirming(() => saveCard(service, debtor.admin, { cardNumber: CARDS.mastercard, isDefault: true }));
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual([INSUFFICIENT, 'Succeeded']);
  });
});
