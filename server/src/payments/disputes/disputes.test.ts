/** Disputes: as Stripe says they stand when it is asked, with every movement of their money in the books once. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../../test/customers/actors.ts';
import { findLedgerViolations } from '../../../test/invariants/invariants.ledger.ts';
import { lookNow } from '../../../test/ledger/fees-and-payouts.ts';
import {
  expectSoundBooks,
  type Payable,
  paymentOf,
  preparePayable,
  readInvoice,
} from '../../../test/payments/charge.ts';
import { alertsOf, deliver, eventOf, eventsOf, objectOf, outcomeOf } from '../../../test/payments/gateway-events.ts';
import { postingsOf, postRefund, preparePaid, refundsOf } from '../../../test/payments/refunds.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { createRefund } from '../../../test/stand-ins/stripe/stripe-server.books.ts';
import * as stripe from '../../../test/stand-ins/stripe/stripe-server.disputes.ts';
import type { StripeEvent } from '../../../test/stand-ins/stripe/stripe-server.objects.ts';

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(() => service?.stop());

const books = () => service.stripe().books;
const eventsAbout = (payable: Pick<Payable, 'invoice'>) => eventsOf(service, payable, /dispute/);
const openDispute = async (payable: Pick<Payable, 'invoice'>, options = {}) =>
  stripe.openDispute(books(), await objectOf(service, payable), options);

async function deliverAll(events: StripeEvent[]): Promise<void> {
  for (const event of events) expect((await deliver(service, event)).status).toBe(200);
}

async function listDisputes(query: string) {
  const answer = await service.call('GET', `/operator/disputes?${query}`, { token: service.operatorKey });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** The only dispute of a company. */
async function disputeOf({ admin }: Pick<Payable, 'admin'>) {
  const { total, data } = await listDisputes(`companyId=${admin.companyId}`);
  expect([total, data.length]).toEqual([1, 1]);
  return data[0];
}

async function disputePostingsOf({ admin }: Pick<Payable, 'admin'>): Promise<string[]> {
  return (await postingsOf(service, admin.companyId)).filter((posting) => posting.startsWith('dispute'));
}

async function eventTypesOf({ admin }: Pick<Payable, 'admin'>): Promise<string[]> {
  const path = `/operator/events?companyId=${admin.companyId}&perPage=1000`;
  const { body } = await service.call('GET', path, { token: service.operatorKey });
  const types: string[] = body.data.map(({ type }: { type: string }) => type);
  return types.filter((type) => type.startsWith('dispute.')).reverse();
}

const WITHDRAWN = ['dispute_withdrawn disputed 48.00', 'dispute_withdrawn cash:stripe -48.00'];
const REINSTATED = ['dispute_reinstated disputed -48.00', 'dispute_reinstated cash:stripe 48.00'];
const LOST = ['dispute_lost disputed -48.00', 'dispute_lost dispute_losses 48.00'];

describe('a dispute', () => {
  it('is shown with its payment and to the operator, takes the money from cash, and raises an alert', async () => {
    const paid = await preparePaid(service);
    const { id } = await openDispute(paid, { reason: 'product_not_received' });
    const [created] = await eventsAbout(paid);
    await deliverAll(await eventsAbout(paid));
    const { companyExternalId, companyName, invoiceNumber, ...dispute } = await disputeOf(paid);
    expect([companyExternalId, companyName, invoiceNumber]).toEqual([
      null,
      paid.admin.email,
      expect.stringMatching(/^INV-\d+$/),
    ]);
    const found = async (query: string) =>
      (await service.call('GET', `/operator/disputes?${query}`, { token: service.operatorKey })).body.total;
    const day = (days: number) => new Date(Date.parse(dispute.openedAt) + days * 86_400_000).toISOString();
    const own = `companyId=${paid.admin.companyId}`;
    expect(await found(`${own}&currency=USD&from=${day(-1)}&to=${day(1)}`)).toBe(1);
    for (const query of ['currency=EUR', `from=${day(1)}`, `to=${day(0)}`])
      expect(await found(`${own}&${query}`)).toBe(0);
    const token = service.operatorKey;
    const file = expectStatus(await service.call('GET', `/operator/disputes.csv?${own}`, { token }), 200).text;
    const [, row = '', ...more] = file.trimEnd().split('\r\n');
    expect([row.split(',').slice(0, 2), more]).toEqual([[dispute.openedAt, dispute.id], []]);
    expect(row).toContain(`,${invoiceNumber},`);
    const none = await service.call('GET', `/operator/disputes.csv?${own}&currency=EUR`, { token });
    expect(none.text.trimEnd().split('\r\n')).toHaveLength(1);
    expect(dispute).toEqual({
      id: expect.any(String),
      companyId: paid.admin.companyId,
      paymentId: paid.paymentId,
      invoiceId: paid.invoice.id,
      gateway: 'stripe',
      gatewayDisputeId: id,
      status: 'NeedsResponse',
      amount: '48.00',
      withdrawnAmount: '48.00',
      currency: 'USD',
      reason: 'product_not_received',
      openedAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const path = `/payments/orders/${paid.invoice.id}`;
    const { body } = await service.call('GET', path, { token: paid.admin.token });
    expect(body).toMatchObject({
      status: 'Succeeded',
      attempts: [{ disputes: [dispute] }],
      payment: { disputes: [dispute] },
    });
    expect(await disputePostingsOf(paid)).toEqual(WITHDRAWN);
    expect(await eventTypesOf(paid)).toEqual(['dispute.created']);
    expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'disputed_at_gateway' }]);
    expect(await outcomeOf(service, created as StripeEvent)).toBe('settled');
  });

  it('that is won returns the money', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid);
    await deliverAll(await eventsAbout(paid));
    stripe.submitEvidence(books(), dispute);
    await deliverAll(await eventsAbout(paid));
    expect(await disputeOf(paid)).toMatchObject({ status: 'UnderReview', withdrawnAmount: '48.00' });
    stripe.winDispute(books(), dispute);
    await deliverAll(await eventsAbout(paid));
    expect(await disputeOf(paid)).toMatchObject({ status: 'Won', withdrawnAmount: '0.00' });
    expect(await disputePostingsOf(paid)).toEqual([...WITHDRAWN, ...REINSTATED]);
    expect(await eventTypesOf(paid)).toEqual(['dispute.created', 'dispute.updated', 'dispute.closed']);
    expect(await alertsOf(service, paid)).toHaveLength(1);
  });

  it('that is lost is posted as a loss, which is reversed if it is won on appeal', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid);
    await deliverAll(await eventsAbout(paid));
    stripe.loseDispute(books(), dispute);
    await deliverAll(await eventsAbout(paid));
    expect(await disputeOf(paid)).toMatchObject({ status: 'Lost', withdrawnAmount: '48.00' });
    expect(await disputePostingsOf(paid)).toEqual([...WITHDRAWN, ...LOST]);
    await expectSoundBooks(service);
    stripe.winDispute(books(), dispute);
    await deliverAll(await eventsAbout(paid));
    expect(await disputeOf(paid)).toMatchObject({ status: 'Won', withdrawnAmount: '0.00' });
    const recovered = ['dispute_recovered disputed 48.00', 'dispute_recovered dispute_losses -48.00'];
    expect((await disputePostingsOf(paid)).toSorted()).toEqual(
      [...WITHDRAWN, ...LOST, ...recovered, ...REINSTATED].toSorted(),
    );
    expect(await eventTypesOf(paid)).toEqual(['dispute.created', 'dispute.closed', 'dispute.updated']);
  });

  it('that is only an inquiry takes no money, and is closed', async () => {
    const paid = await preparePaid(service);
    const inquiry = await openDispute(paid, { isInquiry: true });
    await deliverAll(await eventsAbout(paid));
    expect(await disputeOf(paid)).toMatchObject({ status: 'NeedsResponse', withdrawnAmount: '0.00' });
    stripe.closeInquiry(books(), inquiry);
    await deliverAll(await eventsAbout(paid));
    expect(await disputeOf(paid)).toMatchObject({ status: 'Closed' });
    expect(await disputePostingsOf(paid)).toEqual([]);
  });

  it('in another currency than its payment is not booked, and raises an alert', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid, { isInquiry: true });
    dispute.currency = 'eur';
    await deliverAll(await eventsAbout(paid));
    expect((await listDisputes(`companyId=${paid.admin.companyId}`)).data).toEqual([]);
    const kinds = (await alertsOf(service, paid)).map(({ kind }) => kind);
    expect(kinds).toEqual(['disputed_at_gateway', 'dispute_mismatch']);
  });

  it('whose money moved in the currency of the account is booked in the currency of the payment', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid);
    for (const movement of dispute.balance_transactions) Object.assign(movement, { amount: -4_411, currency: 'eur' });
    await deliverAll(await eventsAbout(paid));
    expect(await disputeOf(paid)).toMatchObject({ withdrawnAmount: '48.00', currency: 'USD' });
    for (const movement of dispute.balance_transactions) Object.assign(movement, { amount: -4_800, currency: 'usd' });
  });
});

describe('however its events come', () => {
  it('a hundred events, at once and in any order, make one dispute and book each movement once', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid);
    stripe.submitEvidence(books(), dispute);
    stripe.winDispute(books(), dispute);
    const events = (await eventsAbout(paid)).toReversed();
    expect(events.map(({ type }) => type)).toEqual([
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
      'charge.dispute.updated',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.created',
    ]);
    const repeated = Array.from({ length: 20 }, () => events).flat();
    const answers = await Promise.all(repeated.map((event) => deliver(service, event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await disputeOf(paid)).toMatchObject({ status: 'Won', withdrawnAmount: '0.00' });
    expect(await disputePostingsOf(paid)).toEqual([...WITHDRAWN, ...REINSTATED]);
    expect(await eventTypesOf(paid)).toEqual(['dispute.created', 'dispute.closed']);
    expect(await alertsOf(service, paid)).toHaveLength(1);
  });

  it('an event before the outcome of the payment settles the payment first', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    await openDispute(payable);
    await deliverAll(await eventsAbout(payable));
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
    expect(await disputeOf(payable)).toMatchObject({ withdrawnAmount: '48.00' });
  });

  it('an answer that is older than the last one changes nothing', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid);
    const [created, withdrawn] = await eventsAbout(paid);
    if (created === undefined || withdrawn === undefined) throw new Error('nothing was told');
    // What Stripe answers now arrives only after it has answered again.
    const gateway = service.gateway;
    const ask = gateway.findDispute?.bind(gateway);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked: () => void = () => undefined;
    const hasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    gateway.findDispute = async (id) => {
      const answer = (await ask?.(id)) ?? [];
      asked();
      await held;
      return answer;
    };
    const late = deliver(service, created);
    await hasAsked;
    if (ask !== undefined) gateway.findDispute = ask;
    stripe.loseDispute(books(), dispute);
    expect((await deliver(service, withdrawn)).status).toBe(200);
    expect(await disputeOf(paid)).toMatchObject({ status: 'Lost' });
    release();
    expect((await late).status).toBe(200);
    expect(await disputeOf(paid)).toMatchObject({ status: 'Lost' });
    expect(await disputePostingsOf(paid)).toEqual([...WITHDRAWN, ...LOST]);
    await deliverAll(await eventsAbout(paid));
    expect(await eventTypesOf(paid)).toEqual(['dispute.created', 'dispute.closed']);
  });

  // Security (What gateways answer): Gateway events are not believed about refunds and disputes: only the gateway's answer counts
  it('the content of an event is not used: Paydesk asks Stripe about the dispute, and logs an unknown one', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid);
    const event = await eventOf(service, paid, 'charge.dispute.created');
    const closed = {
      ...event,
      id: `${event.id}x`,
      type: 'charge.dispute.closed',
      data: { object: { ...dispute, status: 'won' } },
    };
    expect((await deliver(service, closed)).status).toBe(200);
    expect(await disputeOf(paid)).toMatchObject({ status: 'NeedsResponse', withdrawnAmount: '48.00' });

    const stranger = {
      ...event,
      id: `${event.id}s`,
      data: { object: { ...dispute, id: 'dp_stranger', payment_intent: 'pi_stranger' } },
    };
    expect((await deliver(service, stranger)).status).toBe(200);
    expect(await outcomeOf(service, stranger)).toBe('unknown_payment');
    const forged = { ...event, id: `${event.id}f` };
    expect((await deliver(service, forged, { secret: 'whsec_somebodyElses' })).status).toBe(400);
    expect(await outcomeOf(service, forged)).toBeUndefined();
  });

  it('while Stripe cannot be reached, an event is answered with 503, so that Stripe repeats it, and an alert is raised', async () => {
    const paid = await preparePaid(service);
    await openDispute(paid);
    const event = await eventOf(service, paid, 'charge.dispute.created');
    await service.sandbox.armFault({ operation: 'find', kind: 'outage', times: 1 });
    expect((await deliver(service, event)).status).toBe(503);
    expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'disputed_at_gateway' }]);
    expect((await deliver(service, event)).status).toBe(200);
    expect(await disputeOf(paid)).toMatchObject({ withdrawnAmount: '48.00' });
    expect(await alertsOf(service, paid)).toHaveLength(1);
  });
});

describe('POST /operator/disputes, for a dispute whose gateway events never came', () => {
  const resyncDispute = (gatewayDisputeId: string, gateway = 'stripe') =>
    service.call('POST', '/operator/disputes', { token: service.operatorKey, body: { gateway, gatewayDisputeId } });

  // Security (What gateways answer): A dispute that is read on request counts once, also if its gateway event arrives later
  it('reads the dispute from Stripe and books it once, as a gateway event would, even if that arrives after all', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid);
    const first = await resyncDispute(dispute.id);
    expect(first.status).toBe(200);
    const { companyName: _name, invoiceNumber: _number, ...listed } = await disputeOf(paid);
    expect(first.body).toEqual({ data: [listed] });
    expect(first.body.data).toMatchObject([
      { gatewayDisputeId: dispute.id, status: 'NeedsResponse', withdrawnAmount: '48.00' },
    ]);
    expect((await resyncDispute(dispute.id)).body).toEqual(first.body);
    await deliverAll(await eventsAbout(paid));
    expect(await disputePostingsOf(paid)).toEqual(WITHDRAWN);
    expect(await eventTypesOf(paid)).toEqual(['dispute.created']);
    expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'disputed_at_gateway' }]);
    stripe.loseDispute(books(), dispute);
    expect((await resyncDispute(dispute.id)).body.data).toMatchObject([{ id: first.body.data[0].id, status: 'Lost' }]);
    expect(await disputePostingsOf(paid)).toEqual([...WITHDRAWN, ...LOST]);
  });

  it('settles the payment first if its outcome is unknown', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    const dispute = await openDispute(payable);
    expect((await resyncDispute(dispute.id)).body.data).toMatchObject([{ withdrawnAmount: '48.00' }]);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
  });

  it('is 404 for a text that is no id, and for a dispute that Stripe does not know or that is about no payment of Paydesk', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid);
    dispute.payment_intent = 'pi_stranger';
    for (const id of ['dp_none', 'x', dispute.id]) {
      expect(await resyncDispute(id)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
    expect((await listDisputes(`companyId=${paid.admin.companyId}`)).total).toBe(0);
    dispute.payment_intent = await objectOf(service, paid);
    await deliverAll(await eventsAbout(paid));
  });

  it('is 409 if the dispute does not match its payment, 400 for an unknown gateway, 503 while Stripe gives no answer', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid, { isInquiry: true });
    await service.sandbox.armFault({ operation: 'find', kind: 'outage', times: 1 });
    expect(await resyncDispute(dispute.id)).toMatchObject({
      status: 503,
      body: { error: { code: 'service_unavailable' } },
    });
    const details = [{ field: 'gateway', message: 'must be the name of a gateway that is configured' }];
    expect(await resyncDispute(dispute.id, 'paypal')).toMatchObject({ status: 400, body: { error: { details } } });
    dispute.currency = 'eur';
    expect((await resyncDispute(dispute.id)).body.error.code).toBe('dispute_not_recorded');
    expect((await alertsOf(service, paid)).map(({ kind }) => kind)).toEqual([
      'disputed_at_gateway',
      'dispute_mismatch',
    ]);
  });
});

describe('money that a dispute has taken', () => {
  it('cannot be refunded (409 payment_disputed) until the dispute is won', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid);
    await deliverAll(await eventsAbout(paid));
    for (const body of [{}, { amount: '0.01' }]) {
      expect(await postRefund(service, paid, body)).toMatchObject({
        status: 409,
        body: { error: { code: 'payment_disputed' } },
      });
    }
    expect(await refundsOf(service, paid)).toEqual([]);
    expect(await readInvoice(service, paid)).toMatchObject({ creditedTotal: '0.00' });
    stripe.winDispute(books(), dispute);
    await deliverAll(await eventsAbout(paid));
    expect((await postRefund(service, paid)).body).toMatchObject({ amount: '48.00', status: 'Succeeded' });
  });

  it('can be refunded as far as credit paid it or the card payment is not disputed', async () => {
    const paid = await preparePaid(service, { credit: '10.00' });
    const dispute = await openDispute(paid, { amount: 3_000 });
    await deliverAll(await eventsAbout(paid));
    expect((await postRefund(service, paid, { amount: '18.01' })).body.error.code).toBe('payment_disputed');
    expect((await postRefund(service, paid, { amount: '48.01' })).body.error.code).toBe('refund_exceeds_payment');
    expect((await postRefund(service, paid, { amount: '18.00' })).body.error.code).toBe('refund_refused');
    dispute.is_charge_refundable = true;
    const { body } = await postRefund(service, paid);
    expect(body).toMatchObject({ amount: '18.00', cardAmount: '8.00', creditAmount: '10.00', status: 'Succeeded' });
    expect((await postRefund(service, paid)).body.error.code).toBe('payment_disputed');
  });

  it('is also protected by the database, if two refunds pass the check at the same time', async () => {
    const paid = await preparePaid(service);
    await openDispute(paid);
    const withdrawal = eventsAbout(paid).then(deliverAll);
    const refunds = Array.from({ length: 5 }, () => postRefund(service, paid, { amount: '48.00' }));
    const answers = await Promise.all(refunds);
    await withdrawal;
    expect(answers.every(({ status }) => status === 409)).toBe(true);
    const { id } = await paymentOf(service, paid);
    const insert = service.database.owner`
      INSERT INTO refunds (company_id, id, payment_id, invoice_id, gateway, amount_minor, credit_minor, currency, reason, state,
                           reconcile_at)
      VALUES (${paid.admin.companyId}, gen_random_uuid(), ${id}, ${paid.invoice.id}, 'stripe', 1, 0, 'USD', 'x', 'created', now())`;
    await expect(insert).rejects.toMatchObject({ constraint_name: 'refunds_within_payment' });
  });

  it('counts beside what was refunded before', async () => {
    const paid = await preparePaid(service);
    expect((await postRefund(service, paid, { amount: '8.00' })).status).toBe(201);
    const dispute = await openDispute(paid, { amount: 4_000 });
    await deliverAll(await eventsAbout(paid));
    expect(await disputeOf(paid)).toMatchObject({ amount: '40.00', withdrawnAmount: '40.00' });
    expect((await postRefund(service, paid)).body.error.code).toBe('payment_disputed');
    stripe.winDispute(books(), dispute);
    await deliverAll(await eventsAbout(paid));
    const form = { payment_intent: await objectOf(service, paid), amount: '4000' };
    createRefund(books(), form, null);
    await deliverAll(await eventsOf(service, paid, /refund/));
    const sources = (await refundsOf(service, paid)).map(({ source }: { source: string }) => source);
    expect(sources.toSorted()).toEqual(['gateway', 'operator']);
  });
});

describe('the list of disputes', () => {
  it('is paged, the newest first, and filtered by company and status', async () => {
    const [first, second] = [await preparePaid(service), await preparePaid(service)];
    const disputes = [await openDispute(first), await openDispute(second)] as const;
    // Stripe says when in whole seconds, and the disputes above are of this second, too.
    for (const [index, dispute] of disputes.entries()) dispute.created += 60 * (index + 1);
    stripe.loseDispute(books(), disputes[1]);
    for (const paid of [first, second]) await deliverAll(await eventsAbout(paid));
    const newest = await listDisputes('perPage=1');
    expect([newest.page, newest.perPage, newest.data.length]).toEqual([1, 1, 1]);
    expect(newest.data[0].paymentId).toBe(second.paymentId);
    expect((await listDisputes('perPage=1&page=2')).data[0].paymentId).toBe(first.paymentId);
    const lost = await listDisputes('status=Lost&perPage=100');
    expect(lost.data.map(({ status }: { status: string }) => status)).toEqual(Array(lost.total).fill('Lost'));
    const none = await listDisputes(`status=Lost&companyId=${first.admin.companyId}`);
    expect(none).toMatchObject({ total: 0, data: [] });
  });
});

it('the oracle sees a movement that is missing here, and one that is invented', async () => {
  const paid = await preparePaid(service);
  const { owner } = service.database;
  const look = async () =>
    (await findLedgerViolations(owner, await service.sandbox.readLedger())).map((found) => found.slice(0, 15));
  const dispute = await openDispute(paid);
  expect(await look()).toEqual(['I15 the gateway']);
  await deliverAll(await eventsAbout(paid));
  expect(await look()).toEqual([]);
  const [movement] = dispute.balance_transactions.splice(0);
  expect(await look()).toEqual([expect.stringMatching(/^I15 txn_/), 'I5 cash at the ']);
  if (movement !== undefined) dispute.balance_transactions.push(movement);
});

describe('the comparison of the books', () => {
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const to = new Date(Date.now() + 3_600_000).toISOString();

  async function differencesOf({ invoice }: Pick<Payable, 'invoice'>, gatewayId: string) {
    await lookNow(service);
    const found: Record<string, unknown>[] = [];
    let cursor = '';
    do {
      const path = `/operator/reconciliation?gateway=stripe&from=${from}&to=${to}${cursor}`;
      const { status, body } = await service.call('GET', path, { token: service.operatorKey });
      expect(status).toBe(200);
      found.push(...body.differences);
      cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
    } while (cursor !== '');
    return found.filter((one) => one.invoiceId === invoice.id || one.gatewayId === gatewayId);
  }

  it('lists a dispute that Paydesk does not know, or whose money or state differs', async () => {
    const paid = await preparePaid(service);
    const dispute = await openDispute(paid);
    const there = { amount: '48.00', currency: 'USD', status: 'needs_response' };
    expect(await differencesOf(paid, dispute.id)).toMatchObject([
      { kind: 'missing_here', entry: 'dispute', here: null, there },
    ]);
    await deliverAll(await eventsAbout(paid));
    expect(await differencesOf(paid, dispute.id)).toEqual([]);

    stripe.submitEvidence(books(), dispute);
    expect(await differencesOf(paid, dispute.id)).toMatchObject([
      { kind: 'state', here: there, there: { status: 'under_review' } },
    ]);
    stripe.winDispute(books(), dispute);
    expect(await differencesOf(paid, dispute.id)).toMatchObject([
      { kind: 'amount', here: there, there: { amount: '0.00' } },
    ]);
    await deliverAll(await eventsAbout(paid));
    expect(await differencesOf(paid, dispute.id)).toEqual([]);

    const { disputes } = books();
    const hidden = disputes.splice(disputes.indexOf(dispute), 1);
    expect(await differencesOf(paid, dispute.id)).toMatchObject([
      { kind: 'missing_there', entry: 'dispute', there: null },
    ]);
    disputes.push(...hidden);
  });

  it('finds a refund that was made at the gateway by its id there', async () => {
    const paid = await preparePaid(service);
    const form = { payment_intent: await objectOf(service, paid), amount: '1000' };
    const refund = createRefund(books(), form, null);
    expect(await differencesOf(paid, refund.id)).toMatchObject([{ kind: 'missing_here', entry: 'refund' }]);
    await deliverAll(await eventsOf(service, paid, /refund/));
    expect(await differencesOf(paid, refund.id)).toEqual([]);
    // Made long before it was told of.
    const made = books().refunds.find(({ id }) => id === refund.id);
    Object.assign(made ?? {}, { created: Math.floor(Date.now() / 1_000) - 86_400 });
    expect(await differencesOf(paid, refund.id)).toEqual([]);
  });
});

it('a dispute of a payment under review is recorded with the request in its alert, once the payment is resolved', async () => {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  await service.sandbox.armFault({ operation: 'any', kind: 'outage' });
  await service.database.owner`UPDATE payments SET reconcile_count = 7 WHERE invoice_id = ${payable.invoice.id}`;
  await service.reconcileNow();
  await service.sandbox.clearFaults();
  const { id: gatewayDisputeId } = await openDispute(payable);
  await deliverAll(await eventsAbout(payable));
  const body = { gateway: 'stripe', gatewayDisputeId };
  expect(await alertsOf(service, payable)).toContainEqual({
    kind: 'disputed_at_gateway',
    message: expect.stringContaining(
      `under review (charge.dispute.created): answer at the gateway, and resolve the payment. Then POST /operator/disputes with ` +
        `{"gateway": "stripe", "gatewayDisputeId": "${gatewayDisputeId}"} records the dispute.`,
    ),
  });
  const token = service.operatorKey;
  const { id } = await paymentOf(service, payable);
  expect((await service.call('POST', `/operator/payments/${id}/resolve`, { token, body: {} })).status).toBe(200);
  expect(await service.call('POST', '/operator/disputes', { token, body })).toMatchObject({
    status: 200,
    body: { data: [{ gatewayDisputeId, withdrawnAmount: '48.00' }] },
  });
});
