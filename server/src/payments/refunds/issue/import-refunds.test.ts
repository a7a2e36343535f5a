/** Refunds that are made at the gateway: each is recorded once, with its credit note and its postings, whatever the gateway events do. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  expectSoundBooks,
  paymentOf,
  preparePayable,
  readInvoice,
  settleRefunds,
} from '../../../../test/payments/charge.ts';
import { alertsOf, deliver, eventOf, eventsOf, objectOf, outcomeOf } from '../../../../test/payments/gateway-events.ts';
import {
  givenBack,
  type Paid,
  postingsOf,
  postRefund,
  preparePaid,
  refundsOf,
} from '../../../../test/payments/refunds.ts';
import {
  STRIPE_DECLINED_CARD,
  type StripeChargeService,
  startStripeChargeService,
} from '../../../../test/payments/stripe-charge.ts';
import { createRefund } from '../../../../test/stand-ins/stripe/stripe-server.books.ts';
import { openDispute, winDispute } from '../../../../test/stand-ins/stripe/stripe-server.disputes.ts';
import type { Refund } from '../../../../test/stand-ins/stripe/stripe-server.objects.ts';

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(() => service?.stop());

/** Somebody refunds in Stripe's dashboard. */
async function refundByHand(paid: Pick<Paid, 'invoice'>, amount: number): Promise<Refund> {
  const form = { payment_intent: await objectOf(service, paid), amount: String(amount) };
  return createRefund(service.stripe().books, form, null);
}

/** Everything that Stripe tells about refunds of this payment, in its order. */
const eventsAbout = (paid: Pick<Paid, 'invoice'>) => eventsOf(service, paid, /refund/);

async function deliverAll(paid: Pick<Paid, 'invoice'>): Promise<void> {
  for (const event of await eventsAbout(paid)) expect((await deliver(service, event)).status).toBe(200);
}

/** As Stripe does: what was not answered with 200 is told again. */
async function deliverUntilAccepted(paid: Pick<Paid, 'invoice'>): Promise<void> {
  for (const event of await eventsAbout(paid)) {
    await expect.poll(async () => (await deliver(service, event)).status).toBe(200);
  }
}

async function eventTypesOf({ admin }: Pick<Paid, 'admin'>, group: string): Promise<string[]> {
  const path = `/operator/events?companyId=${admin.companyId}&perPage=1000`;
  const { body } = await service.call('GET', path, { token: service.operatorKey });
  const types: string[] = body.data.map(({ type }: { type: string }) => type);
  return types.filter((type) => type.startsWith(group)).reverse();
}

describe('a refund that is made at the gateway', () => {
  it('becomes a refund of the payment, with a credit note, postings and events, and without an alert', async () => {
    const paid = await preparePaid(service, { invoice: { taxRate: '20' } });
    const { id: gatewayId } = await refundByHand(paid, 1_200);
    await deliverAll(paid);
    const [refund, ...others] = await refundsOf(service, paid);
    expect(others).toEqual([]);
    expect(refund).toMatchObject({
      status: 'Succeeded',
      source: 'gateway',
      amount: '12.00',
      cardAmount: '12.00',
      creditAmount: '0.00',
      creditNoteId: expect.any(String),
    });
    const [row] = await service.database.owner`SELECT gateway_refund_id AS id FROM refunds WHERE id = ${refund.id}`;
    expect(row).toEqual({ id: gatewayId });
    expect(await readInvoice(service, paid)).toMatchObject({ creditedTotal: '12.00', refundedTotal: '12.00' });
    expect((await postingsOf(service, paid.admin.companyId)).slice(-5)).toEqual([
      'credit_note_issued revenue 10.00',
      'credit_note_issued tax 2.00',
      'credit_note_issued refunds_due -12.00',
      'refund_sent refunds_due 12.00',
      'refund_sent cash:stripe -12.00',
    ]);
    expect(await eventTypesOf(paid, 'refund.')).toEqual(['refund.created', 'refund.succeeded']);
    expect(await alertsOf(service, paid)).toEqual([]);
  });

  it('is recorded once if a hundred events of it arrive, at once and out of order', async () => {
    const paid = await preparePaid(service);
    await refundByHand(paid, 1_000);
    await refundByHand(paid, 500);
    const events = (await eventsAbout(paid)).toReversed();
    expect(events).toHaveLength(4);
    const repeated = Array.from({ length: 25 }, () => events).flat();
    const answers = await Promise.all(repeated.map((event) => deliver(service, event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const amounts = (await refundsOf(service, paid)).map(({ amount }: { amount: string }) => amount);
    expect(amounts.toSorted()).toEqual(['10.00', '5.00']);
    expect(await eventTypesOf(paid, 'refund.succeeded')).toHaveLength(2);
    expect(await eventTypesOf(paid, 'credit_note.')).toHaveLength(2);
  });

  it('is settled after its payment, if its event arrives before the outcome of the payment is known', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    await refundByHand(payable, 800);
    await deliverAll(payable);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', refundedTotal: '8.00' });
    const paid = { ...payable, paymentId: (await paymentOf(service, payable)).id };
    expect(await refundsOf(service, paid)).toMatchObject([{ source: 'gateway', amount: '8.00' }]);
  });

  it('gets no second credit note for an amount that was credited before', async () => {
    const paid = await preparePaid(service);
    const path = `/operator/invoices/${paid.invoice.id}/credit-notes`;
    const note = { amount: '10.00', reason: 'Outage' };
    expect((await service.call('POST', path, { token: service.operatorKey, body: note })).status).toBe(201);
    await refundByHand(paid, 1_000);
    await deliverAll(paid);
    expect(await refundsOf(service, paid)).toMatchObject([{ amount: '10.00', creditNoteId: null }]);
    expect(await readInvoice(service, paid)).toMatchObject({ creditedTotal: '10.00', refundedTotal: '10.00' });
  });

  it('lowers what can still be refunded in Paydesk', async () => {
    const paid = await preparePaid(service);
    await refundByHand(paid, 4_000);
    await deliverAll(paid);
    expect((await postRefund(service, paid, { amount: '8.01' })).body.error.code).toBe('refund_exceeds_payment');
    expect((await postRefund(service, paid)).body).toMatchObject({ amount: '8.00', source: 'operator' });
  });

  it('is read from the list at Stripe, not from the event', async () => {
    const paid = await preparePaid(service);
    const object = { id: 're_invented', object: 'refund', payment_intent: await objectOf(service, paid), amount: 100 };
    const event = { ...(await eventOf(service, paid, 'payment_intent.succeeded')), type: 'refund.created' };
    const gatewayEvent = { ...event, id: `${event.id}r`, data: { object } };
    expect((await deliver(service, gatewayEvent)).status).toBe(200);
    expect(await outcomeOf(service, gatewayEvent)).toBe('no_change');
    expect(await refundsOf(service, paid)).toEqual([]);
    const forged = { ...gatewayEvent, id: `${event.id}f` };
    expect((await deliver(service, forged, { secret: 'whsec_somebodyElses' })).status).toBe(400);
    expect(await outcomeOf(service, forged)).toBeUndefined();
  });

  it('of a payment that captured nothing raises no alert if Stripe lists no refund', async () => {
    const payable = await preparePayable(service, { cardNumber: STRIPE_DECLINED_CARD });
    expect((await payable.pay()).status).toBe(402);
    const object = { id: 're_none', object: 'refund', payment_intent: await objectOf(service, payable), amount: 100 };
    const event = { ...(await eventOf(service, payable, 'payment_intent.canceled')), type: 'refund.created' };
    const gatewayEvent = { ...event, id: `${event.id}n`, data: { object } };
    expect((await deliver(service, gatewayEvent)).status).toBe(200);
    expect(await outcomeOf(service, gatewayEvent)).toBe('no_change');
    expect(await alertsOf(service, payable)).toEqual([]);
  });

  it('of a payment that is not Paydesk’s is only logged', async () => {
    const paid = await preparePaid(service);
    const object = { id: 're_stranger', object: 'refund', payment_intent: 'pi_stranger' };
    const event = { ...(await eventOf(service, paid, 'payment_intent.succeeded')), type: 'refund.created' };
    const gatewayEvent = { ...event, id: `${event.id}s`, data: { object } };
    expect((await deliver(service, gatewayEvent)).status).toBe(200);
    expect(await outcomeOf(service, gatewayEvent)).toBe('unknown_payment');
  });

  it('is answered with 503, so that Stripe repeats it, while Stripe cannot be asked', async () => {
    const paid = await preparePaid(service);
    await refundByHand(paid, 700);
    const [event] = await eventsAbout(paid);
    if (event === undefined) throw new Error('nothing was told');
    await service.sandbox.armFault({ operation: 'list', kind: 'outage', times: 1 });
    expect((await deliver(service, event)).status).toBe(503);
    expect(await outcomeOf(service, event)).toBeNull();
    expect(await refundsOf(service, paid)).toEqual([]);
    expect((await deliver(service, event)).status).toBe(200);
    expect(await refundsOf(service, paid)).toMatchObject([{ amount: '7.00' }]);
  });

  it('that failed at Stripe afterwards raises an alert', async () => {
    const paid = await preparePaid(service);
    const refund = await refundByHand(paid, 700);
    await deliverAll(paid);
    const event = await eventOf(service, paid, 'refund.created');
    const failed = { ...event, id: `${event.id}f`, type: 'refund.failed', data: { object: refund } };
    for (let times = 0; times < 2; times += 1) expect((await deliver(service, failed)).status).toBe(200);
    expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'refund_failed_at_gateway' }]);
  });
});

describe('a refund that does not match its payment raises an alert, and is not booked', () => {
  it.each([
    ['more than the payment took', { amount: 4_801 }],
    ['another currency', { currency: 'eur' }],
  ])('%s', async (_name, changes) => {
    const paid = await preparePaid(service);
    const refund = await refundByHand(paid, 700);
    const { refunds } = service.stripe().books;
    const kept = refunds.find(({ id }) => id === refund.id);
    const before = { ...kept };
    Object.assign(kept ?? {}, changes);
    await deliverAll(paid);
    expect(await refundsOf(service, paid)).toEqual([]);
    expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'refunded_at_gateway' }]);
    Object.assign(kept ?? {}, before);
  });
});

describe('beside a refund by Paydesk', () => {
  it('a refund by Paydesk is never recorded a second time, whichever answer arrives first', async () => {
    const paid = await preparePaid(service);
    const key = randomUUID();
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_after_effect' });
    expect((await postRefund(service, paid, { amount: '10.00' }, key)).status).toBe(202);
    const events = await eventsAbout(paid);
    const repeated = Array.from({ length: 10 }, () => events).flat();
    const answers = await Promise.all(repeated.map((event) => deliver(service, event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await refundsOf(service, paid)).toMatchObject([{ source: 'operator', status: 'Processing' }]);
    await expectSoundBooks(service);
    expect(await refundsOf(service, paid)).toMatchObject([{ source: 'operator', status: 'Succeeded' }]);
    expect(await givenBack(service, paid)).toEqual([1_000n]);
  });

  it('at the same time, both are recorded if both fit the payment', async () => {
    const paid = await preparePaid(service);
    const byHand = refundByHand(paid, 2_000).then(() => deliverUntilAccepted(paid));
    const [ours] = await Promise.all([postRefund(service, paid, { amount: '20.00' }), byHand]);
    expect(ours.status).toBe(201);
    await deliverUntilAccepted(paid);
    const refunds = await refundsOf(service, paid);
    expect(refunds.map(({ source }: { source: string }) => source).toSorted()).toEqual(['gateway', 'operator']);
    expect(await givenBack(service, paid)).toEqual([2_000n, 2_000n]);
  });

  it('at the same time, if only one fits, Stripe makes one, and that one is booked', async () => {
    const paid = await preparePaid(service);
    const byHand = refundByHand(paid, 3_000).then(
      () => deliverUntilAccepted(paid),
      () => undefined,
    );
    await Promise.all([postRefund(service, paid, { amount: '30.00' }), byHand]);
    await deliverUntilAccepted(paid);
    const refunds = await refundsOf(service, paid);
    expect(refunds.filter(({ status }: { status: string }) => status === 'Succeeded')).toHaveLength(1);
    expect(await givenBack(service, paid)).toEqual([3_000n]);
  });

  it('waits for the outcome of Paydesk’s refund if both do not fit', async () => {
    const paid = await preparePaid(service);
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_before_effect' });
    expect((await postRefund(service, paid, { amount: '30.00' })).status).toBe(202);
    await refundByHand(paid, 4_000);
    const [event] = await eventsAbout(paid);
    if (event === undefined) throw new Error('nothing was told');
    expect((await deliver(service, event)).status).toBe(503);
    expect(await alertsOf(service, paid)).toEqual([]);
    await settleRefunds(service);
    await deliverAll(paid);
    const refunds = await refundsOf(service, paid);
    expect(Object.groupBy(refunds, ({ source }: { source: string }) => source)).toMatchObject({
      gateway: [{ amount: '40.00', status: 'Succeeded' }],
      operator: [{ amount: '30.00', status: 'Failed' }],
    });
    expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'refund_refused' }]);
  });

  it('waits for the end of a dispute that returned its money and is reported later', async () => {
    const paid = await preparePaid(service);
    const { books } = service.stripe();
    const dispute = openDispute(books, await objectOf(service, paid));
    for (const event of await eventsOf(service, paid, /dispute/)) await deliver(service, event);
    winDispute(books, dispute);
    await refundByHand(paid, 4_800);
    await deliverAll(paid);
    expect(await refundsOf(service, paid)).toMatchObject([{ source: 'gateway', amount: '48.00' }]);
    expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'disputed_at_gateway' }]);
  });
});
