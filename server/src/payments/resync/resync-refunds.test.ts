/** Refunds that were made at a gateway and of which its webhook never told: the operator has them read, each once, at any gateway. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../test/harness/request.ts';
import { lookNow } from '../../../test/ledger/fees-and-payouts.ts';
import {
  type ChargeService,
  expectSoundBooks,
  type Payable,
  paymentOf,
  preparePayable,
  readInvoice,
  settleRefunds,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { alertsOf, deliver, eventsOf, objectOf } from '../../../test/payments/gateway-events.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../../test/payments/paypal-charge.ts';
import { givenBack, type Paid, postingsOf, postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import {
  STRIPE_DECLINED_CARD,
  type StripeChargeService,
  startStripeChargeService,
} from '../../../test/payments/stripe-charge.ts';
import { refundCapture, requireOrder } from '../../../test/stand-ins/paypal/paypal-server.books.ts';
import { moneyOf } from '../../../test/stand-ins/paypal/paypal-server.money.ts';
import { createRefund } from '../../../test/stand-ins/stripe/stripe-server.books.ts';
import { openDispute, winDispute } from '../../../test/stand-ins/stripe/stripe-server.disputes.ts';
import type { Difference } from '../../ledger/reconciliation/ledger.reconciliation.schema.ts';

type AnyService = Omit<ChargeService, 'stop'> & { stop: () => Promise<void> };

function resyncDispute(service: AnyService, body: { gateway: string; gatewayPaymentId: string }): Promise<Answer> {
  return service.call('POST', '/operator/refunds', { token: service.operatorKey, body });
}

/** Has the refunds of an invoice's only payment read. */
async function resync(service: AnyService, payable: Pick<Payable, 'invoice'>): Promise<Answer> {
  return resyncDispute(service, { gateway: service.gateway.name, gatewayPaymentId: await objectOf(service, payable) });
}

async function pay(service: AnyService, payable: Payable): Promise<Paid> {
  expect((await payable.pay()).status).toBe(200);
  return { ...payable, paymentId: (await paymentOf(service, payable)).id };
}

/** What the comparison lists about a payment. */
async function differencesOf(service: AnyService, payable: Pick<Payable, 'invoice'>): Promise<Difference[]> {
  await lookNow(service);
  const gatewayPaymentId = await objectOf(service, payable);
  const [from, to] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const differences: Difference[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const cursorParameter: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/operator/reconciliation?gateway=${service.gateway.name}&from=${from}&to=${to}${cursorParameter}`;
    const { status, body } = await service.call('GET', path, { token: service.operatorKey });
    expect(status).toBe(200);
    differences.push(...body.differences);
    cursor = body.nextCursor;
  }
  return differences.filter((difference) => difference.gatewayPaymentId === gatewayPaymentId);
}

async function refundEventsOf(service: AnyService, { admin }: Pick<Paid, 'admin'>): Promise<string[]> {
  const path = `/operator/events?companyId=${admin.companyId}&perPage=1000`;
  const { body } = await service.call('GET', path, { token: service.operatorKey });
  const types: string[] = body.data.map(({ type }: { type: string }) => type);
  return types.filter((type) => /^(refund|credit_note)\./.test(type)).toSorted();
}

type World = {
  service: AnyService;
  preparePayable: () => Promise<Payable>;
  /** Somebody refunds in the gateway's dashboard, and the gateway sends no event. @returns its id of the refund */
  refundByHand: (payable: Pick<Payable, 'invoice'>, amountMinor: bigint) => Promise<string>;
  /** By what its refunds are read. */
  reading: 'list' | 'find';
};

async function startSandboxWorld(): Promise<World> {
  const service = await startChargeService();
  return {
    service,
    preparePayable: () => preparePayable(service),
    refundByHand: async (payable, amountMinor) => {
      const gatewayPaymentId = await objectOf(service, payable);
      const request = { gatewayPaymentId, amountMinor, idempotencyKey: randomUUID(), reference: 'by-hand' };
      return (await service.gateway.refundPayment(request)).id;
    },
    reading: 'list',
  };
}

async function refundAtStripe(service: StripeChargeService, payable: Pick<Payable, 'invoice'>, amountMinor: bigint) {
  const form = { payment_intent: await objectOf(service, payable), amount: String(amountMinor) };
  return createRefund(service.stripe().books, form, null);
}

async function startStripeWorld(): Promise<World> {
  const service = await startStripeChargeService();
  return {
    service,
    preparePayable: () => preparePayable(service),
    refundByHand: async (payable, amountMinor) => (await refundAtStripe(service, payable, amountMinor)).id,
    reading: 'list',
  };
}

async function startPayPalWorld(): Promise<World> {
  const service: PayPalChargeService = await startPayPalChargeService();
  return {
    service,
    preparePayable: () => preparePayPalPayable(service),
    refundByHand: async (payable, amountMinor) => {
      const { books } = service.paypal();
      const [unit] = requireOrder(books, await objectOf(service, payable)).purchase_units;
      const captureId = unit.payments?.captures[0]?.id ?? '';
      return refundCapture(books, captureId, { amount: moneyOf(amountMinor, 'USD') }).id;
    },
    reading: 'find',
  };
}

describe.each([
  ['sandbox', startSandboxWorld],
  ['stripe', startStripeWorld],
  ['paypal', startPayPalWorld],
])('POST /operator/refunds, for refunds made at %s', (name, start) => {
  let world: World;
  let service: AnyService;
  beforeAll(async () => {
    world = await start();
    ({ service } = world);
  });
  afterEach(async () => expectSoundBooks(service));
  afterAll(() => service?.stop());

  const preparePaid = async () => pay(service, await world.preparePayable());

  it('records a refund with its credit note and postings, and both books agree', async () => {
    const paid = await preparePaid();
    const gatewayId = await world.refundByHand(paid, 1_200n);
    const there = { amount: '12.00', currency: 'USD' };
    expect(await differencesOf(service, paid)).toMatchObject([
      { kind: 'missing_here', entry: 'refund', gatewayId, there },
    ]);
    const answer = await resync(service, paid);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: await refundsOf(service, paid) });
    expect(answer.body.data).toEqual([
      expect.objectContaining({
        status: 'Succeeded',
        source: 'gateway',
        paymentId: paid.paymentId,
        amount: '12.00',
        cardAmount: '12.00',
        creditNoteId: expect.any(String),
      }),
    ]);
    expect(await readInvoice(service, paid)).toMatchObject({ creditedTotal: '12.00', refundedTotal: '12.00' });
    expect((await postingsOf(service, paid.admin.companyId)).slice(-4)).toEqual([
      'credit_note_issued revenue 12.00',
      'credit_note_issued refunds_due -12.00',
      'refund_sent refunds_due 12.00',
      `refund_sent cash:${name} -12.00`,
    ]);
    expect(await differencesOf(service, paid)).toEqual([]);
    expect(await alertsOf(service, paid)).toEqual([]);
  });

  it('records each refund once, even if it is called ten times at once, beside a refund by Paydesk', async () => {
    const paid = await preparePaid();
    expect((await postRefund(service, paid, { amount: '1.00' })).status).toBe(201);
    await world.refundByHand(paid, 1_000n);
    await world.refundByHand(paid, 500n);
    const answers = await Promise.all(Array.from({ length: 10 }, () => resync(service, paid)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const again = await resync(service, paid);
    for (const { body } of answers) expect(body).toEqual(again.body);
    const refunds = again.body.data.map(
      ({ amount, source }: { amount: string; source: string }) => `${source} ${amount}`,
    );
    expect(refunds.toSorted()).toEqual(['gateway 10.00', 'gateway 5.00', 'operator 1.00']);
    expect(again.body.data).toEqual(await refundsOf(service, paid));
    const three = (type: string) => [type, type, type];
    expect(await refundEventsOf(service, paid)).toEqual(
      ['credit_note.created', 'refund.created', 'refund.succeeded'].flatMap(three),
    );
    expect(await readInvoice(service, paid)).toMatchObject({ creditedTotal: '16.00', refundedTotal: '16.00' });
    expect(await differencesOf(service, paid)).toEqual([]);
  });

  it('settles the payment first if its outcome is unknown', async () => {
    const payable = await world.preparePayable();
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    await world.refundByHand(payable, 800n);
    expect((await resync(service, payable)).body.data).toMatchObject([{ source: 'gateway', amount: '8.00' }]);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', refundedTotal: '8.00' });
    expect(await differencesOf(service, payable)).toEqual([]);
    expect(await alertsOf(service, payable)).toEqual([]);
  });

  it('answers an empty list if nothing was refunded, also for a payment that captured nothing', async () => {
    const paid = await preparePaid();
    expect(await resync(service, paid)).toMatchObject({ status: 200, body: { data: [] } });
    const payable = await world.preparePayable();
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expect((await payable.pay()).status).toBe(202);
    expect(await resync(service, payable)).toMatchObject({ status: 200, body: { data: [] } });
    expect(await alertsOf(service, payable)).toEqual([]);
  });

  it('is 503 with Retry-After while the gateway gives no answer, and records nothing', async () => {
    const paid = await preparePaid();
    await world.refundByHand(paid, 700n);
    const silent = { status: 503, body: { error: { code: 'service_unavailable' } } };
    await service.sandbox.armFault({ operation: world.reading, kind: 'outage', times: 1 });
    const answer = await resync(service, paid);
    expect(answer).toMatchObject(silent);
    expect(answer.headers.get('retry-after')).toBe('30');
    await service.sandbox.clearFaults();
    await service.takeGatewayAway();
    const away = await resync(service, paid).finally(() => service.bringGatewayBack());
    expect(away).toMatchObject(silent);
    expect(await refundsOf(service, paid)).toEqual([]);
    expect((await resync(service, paid)).body.data).toMatchObject([{ amount: '7.00' }]);
  });

  it('is 503 while a refund by Paydesk has no outcome and both would exceed the payment; afterwards the refund is recorded', async () => {
    const paid = await preparePaid();
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_before_effect' });
    expect((await postRefund(service, paid, { amount: '30.00' })).status).toBe(202);
    await world.refundByHand(paid, 4_000n);
    const answer = await resync(service, paid);
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await alertsOf(service, paid)).toEqual([]);
    await service.sandbox.clearFaults();
    await settleRefunds(service);
    const { data } = (await resync(service, paid)).body;
    const refunds = data.map((refund: Record<string, string>) => `${refund.source} ${refund.amount} ${refund.status}`);
    expect(refunds.toSorted()).toEqual(['gateway 40.00 Succeeded', 'operator 30.00 Failed']);
  });

  it('is 404 for a payment that is not Paydesk’s, and 400 for an unknown gateway', async () => {
    const gatewayPaymentId = await objectOf(service, await preparePaid());
    for (const id of ['nobodys', 'x'.repeat(100)]) {
      const answer = await resyncDispute(service, { gateway: name, gatewayPaymentId: id });
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
    const elsewhere = name === 'stripe' ? 'paypal' : 'stripe';
    const details = [{ field: 'gateway', message: 'must be the name of a gateway that is configured' }];
    const answer = await resyncDispute(service, { gateway: elsewhere, gatewayPaymentId });
    expect(answer).toMatchObject({ status: 400, body: { error: { details } } });
    const { status } = await resyncDispute(service, { gateway: name, gatewayPaymentId: '../refunds' });
    expect(status).toBe(400);
  });
});

describe('POST /operator/refunds, beside the events of Stripe', () => {
  let service: StripeChargeService;
  beforeAll(async () => {
    service = await startStripeChargeService();
  });
  afterEach(async () => expectSoundBooks(service));
  afterAll(() => service?.stop());

  const preparePaid = async () => pay(service, await preparePayable(service));

  async function deliverAll(paid: Pick<Paid, 'invoice'>, type = /refund/): Promise<number[]> {
    const events = await eventsOf(service, paid, type);
    return Promise.all(events.map(async (event) => (await deliver(service, event)).status));
  }

  // Security (What gateways answer): A refund that is read on request counts once, also if its gateway event arrives later
  it('a refund counts once if its event arrives at the same time, and again later', async () => {
    const paid = await preparePaid();
    await refundAtStripe(service, paid, 900n);
    const resyncs = Array.from({ length: 5 }, () => resync(service, paid));
    const [deliveries, ...answers] = await Promise.all([deliverAll(paid), ...resyncs]);
    expect(new Set([...deliveries, ...answers.map(({ status }) => status)])).toEqual(new Set([200]));
    await deliverAll(paid);
    expect(await refundsOf(service, paid)).toMatchObject([{ source: 'gateway', amount: '9.00' }]);
    expect(await refundEventsOf(service, paid)).toHaveLength(3);
  });

  it('a refund by Paydesk whose answer was lost is recognized, not recorded a second time', async () => {
    const paid = await preparePaid();
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_after_effect' });
    expect((await postRefund(service, paid, { amount: '10.00' })).status).toBe(202);
    expect((await resync(service, paid)).body.data).toMatchObject([{ source: 'operator', amount: '10.00' }]);
    await expectSoundBooks(service);
    expect(await refundsOf(service, paid)).toMatchObject([{ source: 'operator', status: 'Succeeded' }]);
    expect(await givenBack(service, paid)).toEqual([1_000n]);
  });

  it('a refund that fits since a dispute was won is recorded, although no event reported the dispute', async () => {
    const paid = await preparePaid();
    const { books } = service.stripe();
    const dispute = openDispute(books, await objectOf(service, paid));
    await deliverAll(paid, /dispute/);
    winDispute(books, dispute);
    await refundAtStripe(service, paid, 4_800n);
    expect((await resync(service, paid)).body.data).toMatchObject([{ source: 'gateway', amount: '48.00' }]);
    expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'disputed_at_gateway' }]);
  });

  it.each([
    ['more than the payment took', { amount: 4_801 }],
    ['another currency', { currency: 'eur' }],
  ])(
    'a refund that does not match its payment is 409, raises one alert and is not booked: %s',
    async (_name, changes) => {
      const paid = await preparePaid();
      const refund = await refundAtStripe(service, paid, 700n);
      const kept = service.stripe().books.refunds.find(({ id }) => id === refund.id) ?? refund;
      const before = { ...kept };
      Object.assign(kept, changes);
      for (let times = 0; times < 2; times += 1) {
        expect(await resync(service, paid)).toMatchObject({
          status: 409,
          body: { error: { code: 'refund_not_recorded' } },
        });
      }
      await deliverAll(paid);
      expect(await refundsOf(service, paid)).toEqual([]);
      expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'refunded_at_gateway' }]);
      Object.assign(kept, before);
      expect((await resync(service, paid)).body.data).toMatchObject([{ amount: '7.00' }]);
    },
  );

  it('a refund of a payment that failed in Paydesk is 409 and raises an alert', async () => {
    const paid = await preparePaid();
    const refund = await refundAtStripe(service, paid, 700n);
    const failed = await preparePayable(service, { cardNumber: STRIPE_DECLINED_CARD });
    expect((await failed.pay()).status).toBe(402);
    expect(await resync(service, failed)).toMatchObject({ status: 200, body: { data: [] } });
    const kept = service.stripe().books.refunds.find(({ id }) => id === refund.id) ?? refund;
    kept.payment_intent = await objectOf(service, failed);
    expect((await resync(service, failed)).body.error.code).toBe('refund_not_recorded');
    expect(await alertsOf(service, failed)).toMatchObject([{ kind: 'refunded_at_gateway' }]);
    kept.payment_intent = await objectOf(service, paid);
    expect((await resync(service, paid)).body.data).toMatchObject([{ amount: '7.00' }]);
  });
});
