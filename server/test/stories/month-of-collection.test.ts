import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from '../chaos/processes.ts';
import type { Debtor } from '../payments/collection.ts';
import { stripeEnvironment } from '../payments/stripe-charge.ts';
import { beginCollectionStory, type CollectionStory } from './collection-story.ts';

/** March 2026 with ten companies. Each has one invoice of 48.00 and 20 % tax, 57.60 USD, to be paid by card. */
let story: CollectionStory;
beforeAll(async () => {
  story = await beginCollectionStory('2026-03-01T09:00Z');
});
afterAll(() => story?.end());

describe('a month of collection', () => {
  it('collects to the cent, whatever happens, and both books agree', async () => {
    await auroraPaysAtOnce();
    await borealisIsShortOfMoneyForTwoDays();
    await cirrusLosesItsCard();
    const disputed = await duneAndEmberAreDisputed();
    await fjordGetsSomeBack();
    await stripeIsAwayForSixHours();
    await aWorkerDiesAtJuniper();
    await theBanksDecide(disputed);
    await bothBooksAgree();
  });
});

async function expectPaid(debtor: Debtor, outcomes: string[]): Promise<void> {
  expect(await story.outcomes(debtor)).toEqual(outcomes);
  expect(await story.debt(debtor)).toMatchObject({ status: 'Succeeded', collection: { state: 'closed' } });
  expect(await story.capturesOf(debtor)).toMatchObject([{ amountMinor: 5_760n, currency: 'USD' }]);
}

async function auroraPaysAtOnce(): Promise<void> {
  const aurora = await story.isInvoiced();
  await story.worker();
  await expectPaid(aurora, ['Succeeded']);
}

async function borealisIsShortOfMoneyForTwoDays(): Promise<void> {
  const borealis = await story.isInvoiced();
  await story.stripe.declinesNext('insufficient_funds');
  await story.worker();
  const nextAttemptAt = '2026-03-03T09:00:00.000Z';
  expect(await story.debt(borealis)).toMatchObject({
    status: 'Failed',
    collection: { state: 'scheduled', nextAttemptAt },
  });
  await story.goesBy('2026-03-03T08:59Z');
  expect(await story.outcomes(borealis)).toEqual(['Failed insufficient_funds']);
  await story.goesBy('2026-03-03T09:00Z');
  await expectPaid(borealis, ['Failed insufficient_funds', 'Succeeded']);
}

/** A lost card is never retried automatically. Another one is charged at once. */
async function cirrusLosesItsCard(): Promise<void> {
  const cirrus = await story.isInvoiced();
  await story.stripe.declinesNext('lost_card');
  await story.worker();
  await story.goesBy('2026-03-06T10:00Z');
  const collection = { state: 'awaiting_payment_method', nextAttemptAt: null };
  expect(await story.debt(cirrus)).toMatchObject({ status: 'Failed', collection });
  expect(await story.outcomes(cirrus)).toEqual(['Failed lost_card']);
  await story.savesAnotherCard(cirrus);
  await story.worker();
  await expectPaid(cirrus, ['Failed lost_card', 'Succeeded']);
}

type Disputed = Awaited<ReturnType<typeof duneAndEmberAreDisputed>>;

/**
 * Both pay. A week later both cardholders dispute the charge, and Stripe withdraws the money until the bank has
 * decided.
 */
async function duneAndEmberAreDisputed() {
  const [dune, ember] = [await story.isInvoiced(), await story.isInvoiced()];
  await story.worker();
  await story.goesBy('2026-03-07T12:00Z');
  const before = story.stripe.holds();
  const duneDispute = await story.stripe.receivesDispute(dune, 'fraudulent');
  const emberDispute = await story.stripe.receivesDispute(ember, 'product_unacceptable');
  expect(before - story.stripe.holds()).toBe(2 * 5_760);
  await story.stripe.sendsEvents();
  for (const debtor of [dune, ember]) {
    await expectPaid(debtor, ['Succeeded']);
    const withdrawn = { status: 'NeedsResponse', withdrawnAmount: '57.60' };
    expect(await story.debt(debtor)).toMatchObject({ payment: { disputes: [withdrawn] } });
    expect(await story.refunds(debtor, '1.00')).toMatchObject({
      status: 409,
      body: { error: { code: 'payment_disputed' } },
    });
  }
  expect(await story.balances()).toMatchObject({ disputed: '115.20', 'cash:stripe': '172.80' });
  story.stripe.takesEvidence(emberDispute);
  return { dune, ember, duneDispute, emberDispute };
}

/** The operator refunds 12.00, and somebody in Stripe's dashboard 6.00. The books learn of the latter only from Stripe's events. */
async function fjordGetsSomeBack(): Promise<void> {
  const fjord = await story.isInvoiced();
  await story.goesBy('2026-03-08T12:00Z');
  expect((await story.refunds(fjord, '12.00')).status).toBe(201);
  await story.stripe.refundsByHand(fjord, 600);
  expect((await story.reconciles()).text).toMatch(
    /refund: at the gateway, and not here[\s\S]*6\.00 USD[\s\S]*\n1 difference: /,
  );
  await story.stripe.sendsEvents();
  expect(await story.debt(fjord)).toMatchObject({ creditedTotal: '18.00', refundedTotal: '18.00' });
  expect((await story.refunds(fjord, '39.61')).body.error.code).toBe('refund_exceeds_payment');
  expect((await story.reconciles()).code).toBe(0);
}

/** Grove's money is captured, but the answer is lost with the connection. Harbor and Isle become due while Stripe is unreachable. */
async function stripeIsAwayForSixHours(): Promise<void> {
  await story.goesBy('2026-03-15T06:00Z');
  const grove = await story.isInvoiced();
  await story.stripe.losesItsNextAnswer();
  await story.worker();
  const [harbor, isle] = [await story.isInvoiced(), await story.isInvoiced()];
  await story.stripe.goesAway();
  await story.goesBy('2026-03-15T12:00Z', 1);
  for (const debtor of [grove, harbor, isle]) {
    expect(await story.debt(debtor)).toMatchObject({ status: 'Processing', paymentId: null });
  }
  for (const debtor of [harbor, isle]) expect(await story.capturesOf(debtor)).toEqual([]);

  await story.stripe.comesBack();
  await story.goesBy('2026-03-15T13:00Z');
  await story.isFoundOut();
  await story.goesBy('2026-03-15T14:00Z');
  await expectPaid(grove, ['Succeeded']);
  for (const debtor of [harbor, isle]) {
    const tries = (await story.outcomes(debtor)).length;
    expect(tries).toBeGreaterThan(1);
    await expectPaid(debtor, [...Array(tries - 1).fill('Failed not_sent'), 'Succeeded']);
  }
}

/** A separate process is killed after Stripe captured the money, before it could record that. */
async function aWorkerDiesAtJuniper(): Promise<void> {
  await story.goesBy('2026-03-20T09:00Z');
  const { service } = story;
  const clockOffsetMs = story.now().getTime() - Date.now();
  const environment = stripeEnvironment(service);
  const victim = await startApi({ environment, failpoint: 'after_confirm', clockOffsetMs });
  const juniper = await story.isInvoiced();
  await victim.ended;
  expect(await story.capturesOf(juniper)).toHaveLength(1);
  expect(await story.debt(juniper)).toMatchObject({ status: 'Processing', paymentId: null });
  // Skips the time until the dead worker's claim expires.
  await service.database.owner`UPDATE collections SET leased_until = now() WHERE leased_until IS NOT NULL`;
  await story.isFoundOut();
  await story.goesBy('2026-03-20T10:00Z');
  await expectPaid(juniper, ['Succeeded']);
}

async function theBanksDecide({ dune, ember, duneDispute, emberDispute }: Disputed): Promise<void> {
  await story.goesBy('2026-03-26T12:00Z');
  story.stripe.decidesForTheCardholder(duneDispute);
  story.stripe.decidesForUs(emberDispute);
  await story.goesBy('2026-03-31T12:00Z');
  const lost = { status: 'Lost', withdrawnAmount: '57.60' };
  expect(await story.debt(dune)).toMatchObject({ status: 'Succeeded', payment: { disputes: [lost] } });
  const won = { status: 'Won', withdrawnAmount: '0.00' };
  expect(await story.debt(ember)).toMatchObject({ status: 'Succeeded', payment: { disputes: [won] } });
}

/** Ten invoices of 57.60, of which 18.00 were refunded and 57.60 were lost to a dispute. Stripe took 1.97 for each, and 15.00 a dispute. */
async function bothBooksAgree(): Promise<void> {
  const { code, text } = await story.reconciles();
  expect(await story.balances()).toEqual({
    receivable: '0.00',
    'cash:stripe': '450.70',
    gateway_fees: '49.70',
    dispute_losses: '57.60',
    disputed: '0.00',
    refunds_due: '0.00',
    revenue: '-465.00',
    tax: '-93.00',
  });
  expect(story.stripe.holds()).toBe(50_040);
  await story.hasSoundBooks();
  // Captures, refunds, disputes and fees, each counted in both books.
  expect([code, text.split('\n')[0]]).toEqual([
    0,
    `The books agree: ${2 * (10 + 2 + 2 + 12)} entries compared with stripe.`,
  ]);
}
