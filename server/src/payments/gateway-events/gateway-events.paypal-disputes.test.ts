/** Disputes at PayPal: as it says they stand when it is asked, with every movement of their money in the books once. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../test/harness/request.ts';
import { expectSoundBooks, type Payable, paymentOf, readInvoice } from '../../../test/payments/charge.ts';
import { alertsOf, objectOf } from '../../../test/payments/gateway-events.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../../test/payments/paypal-charge.ts';
import { type Paid, postingsOf, postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import * as paypal from '../../../test/stand-ins/paypal/paypal-server.disputes.ts';
import type { Dispute, PayPalEvent } from '../../../test/stand-ins/paypal/paypal-server.objects.ts';
import type { Signing } from '../../../test/stand-ins/paypal/paypal-server.webhooks.ts';

let service: PayPalChargeService;
beforeAll(async () => {
  service = await startPayPalChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(() => service?.stop());

const PATH = '/gateways/paypal/webhooks';
const books = () => service.paypal().books;

async function deliver(event: object, signing: Signing = {}): Promise<Answer> {
  const rawBody = JSON.stringify(event);
  return service.call('POST', PATH, { rawBody, headers: service.paypal().sign(rawBody, signing) });
}

async function deliverAll(events: PayPalEvent[]): Promise<void> {
  for (const event of events) expect((await deliver(event)).status).toBe(200);
}

/** An invoice of 48.00 USD that is paid by PayPal. */
async function preparePaid(): Promise<Paid> {
  const payable = await preparePayPalPayable(service);
  expect((await payable.pay()).status).toBe(200);
  return { ...payable, paymentId: (await paymentOf(service, payable)).id };
}

async function openDispute(payable: Payable, options = {}): Promise<Dispute> {
  return paypal.openDispute(books(), await objectOf(service, payable), options);
}

/** What PayPal told about a dispute, the oldest first. */
function eventsAbout({ shown }: Dispute): PayPalEvent[] {
  return books().events.filter(({ resource }) => 'dispute_id' in resource && resource.dispute_id === shown.dispute_id);
}

function createdOf(dispute: Dispute): PayPalEvent {
  const [event] = eventsAbout(dispute);
  if (event === undefined) throw new Error('nothing was told');
  return event;
}

async function disputesOf({ admin }: Payable) {
  const query = `companyId=${admin.companyId}`;
  const { body } = await service.call('GET', `/operator/disputes?${query}`, { token: service.operatorKey });
  return body.data;
}

/** The only dispute of a company. */
async function disputeOf(payable: Payable) {
  const disputes = await disputesOf(payable);
  expect(disputes).toHaveLength(1);
  return disputes[0];
}

async function disputePostingsOf({ admin }: Payable): Promise<string[]> {
  return (await postingsOf(service, admin.companyId)).filter((posting) => posting.startsWith('dispute'));
}

const WITHDRAWN = ['dispute_withdrawn disputed 48.00', 'dispute_withdrawn cash:paypal -48.00'];
const REINSTATED = ['dispute_reinstated disputed -48.00', 'dispute_reinstated cash:paypal 48.00'];
const LOST = ['dispute_lost disputed -48.00', 'dispute_lost dispute_losses 48.00'];

it('a dispute whose gateway event never arrived is read from PayPal when the operator names its id; an unknown id is 404', async () => {
  const paid = await preparePaid();
  const { shown } = await openDispute(paid);
  const resyncDispute = (gatewayDisputeId: string) =>
    service.call('POST', '/operator/disputes', {
      token: service.operatorKey,
      body: { gateway: 'paypal', gatewayDisputeId },
    });
  for (const id of ['PP-D-0', 'x'.repeat(100)]) expect((await resyncDispute(id)).status).toBe(404);
  expect(await resyncDispute(shown.dispute_id)).toMatchObject({
    status: 200,
    body: { data: [{ withdrawnAmount: '48.00' }] },
  });
  // The list has the names of the company and the invoice besides.
  const { companyName, invoiceNumber, ...dispute } = (await disputeOf(paid)) as Record<string, unknown>;
  expect([typeof companyName, typeof invoiceNumber]).toEqual(['string', 'string']);
  expect((await resyncDispute(shown.dispute_id)).body).toEqual({ data: [dispute] });
  expect(await disputePostingsOf(paid)).toEqual(WITHDRAWN);
});

describe('a dispute at PayPal', () => {
  it('that is lost takes the money, without PayPal’s fee, and raises an alert', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid, { reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED' });
    await deliverAll(eventsAbout(dispute));
    expect(await disputeOf(paid)).toMatchObject({
      paymentId: paid.paymentId,
      gateway: 'paypal',
      gatewayDisputeId: dispute.shown.dispute_id,
      status: 'NeedsResponse',
      amount: '48.00',
      withdrawnAmount: '48.00',
      currency: 'USD',
      reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    });
    expect(await disputePostingsOf(paid)).toEqual(WITHDRAWN);
    expect((await postRefund(service, paid)).body.error.code).toBe('payment_disputed');
    paypal.loseDispute(books(), dispute);
    await deliverAll(eventsAbout(dispute));
    expect(await disputeOf(paid)).toMatchObject({ status: 'Lost', withdrawnAmount: '48.00' });
    expect(await disputePostingsOf(paid)).toEqual([...WITHDRAWN, ...LOST]);
    expect(await readInvoice(service, paid)).toMatchObject({ status: 'Succeeded' });
    expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'disputed_at_gateway' }]);
  });

  it('that is won returns the money', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid);
    paypal.submitEvidence(books(), dispute);
    await deliverAll(eventsAbout(dispute));
    expect(await disputeOf(paid)).toMatchObject({ status: 'UnderReview', withdrawnAmount: '48.00' });
    paypal.winDispute(books(), dispute);
    await deliverAll(eventsAbout(dispute));
    expect(await disputeOf(paid)).toMatchObject({ status: 'Won', withdrawnAmount: '0.00' });
    expect(await disputePostingsOf(paid)).toEqual([...WITHDRAWN, ...REINSTATED]);
    expect(await alertsOf(service, paid)).toHaveLength(1);
  });

  it('that is only an inquiry takes no money, and is closed when the buyer cancels it', async () => {
    const paid = await preparePaid();
    const inquiry = await openDispute(paid, { isInquiry: true });
    await deliverAll(eventsAbout(inquiry));
    expect(await disputeOf(paid)).toMatchObject({ status: 'NeedsResponse', withdrawnAmount: '0.00' });
    paypal.resolve(books(), inquiry, 'CANCELED_BY_BUYER');
    await deliverAll(eventsAbout(inquiry));
    expect(await disputeOf(paid)).toMatchObject({ status: 'Closed' });
    expect(await disputePostingsOf(paid)).toEqual([]);
  });

  it.each(['refund first', 'dispute first'])(
    'whose claim is accepted by a refund is a refund, once: %s',
    async (first) => {
      const paid = await preparePaid();
      const inquiry = await openDispute(paid, { isInquiry: true });
      paypal.acceptClaim(books(), inquiry);
      const refunded = books()
        .events.filter(({ event_type: type }) => type === 'PAYMENT.CAPTURE.REFUNDED')
        .slice(-1);
      const gatewayEvents = [refunded, eventsAbout(inquiry)];
      for (const events of first === 'refund first' ? gatewayEvents : gatewayEvents.toReversed())
        await deliverAll(events);
      expect(await refundsOf(service, paid)).toMatchObject([{ source: 'gateway', amount: '48.00' }]);
      expect(await disputeOf(paid)).toMatchObject({ status: 'Lost', withdrawnAmount: '0.00' });
      expect(await disputePostingsOf(paid)).toEqual([]);
    },
  );

  it('is booked once for each movement, however many events arrive, at once and in any order', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid, { value: '20.00' });
    paypal.submitEvidence(books(), dispute);
    paypal.winDispute(books(), dispute);
    const events = eventsAbout(dispute).toReversed();
    expect(events.map(({ event_type: type }) => type)).toEqual([
      'CUSTOMER.DISPUTE.RESOLVED',
      'CUSTOMER.DISPUTE.UPDATED',
      'CUSTOMER.DISPUTE.CREATED',
    ]);
    const repeated = Array.from({ length: 5 }, () => events).flat();
    const answers = await Promise.all(repeated.map((event) => deliver(event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // Under other ids they are new to us, and PayPal is asked again.
    for (const event of events) await deliverAll([{ ...event, id: `WH-${randomUUID()}` }]);
    expect(await disputeOf(paid)).toMatchObject({ status: 'Won', amount: '20.00', withdrawnAmount: '0.00' });
    expect(await disputePostingsOf(paid)).toHaveLength(4);
    expect(await alertsOf(service, paid)).toHaveLength(1);
  });

  it('is read from PayPal, so a forged event and the content of an event change nothing', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid);
    const event = createdOf(dispute);
    expect((await deliver(event, { webhookId: '1ANOTHER0000000001' })).status).toBe(400);
    expect(await alertsOf(service, paid)).toEqual([]);
    const resource = {
      ...event.resource,
      status: 'RESOLVED',
      dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR' },
    };
    await deliverAll([{ ...event, event_type: 'CUSTOMER.DISPUTE.RESOLVED', resource }]);
    expect(await disputeOf(paid)).toMatchObject({ status: 'NeedsResponse', withdrawnAmount: '48.00' });
    const stranger = { ...event, id: `WH-${randomUUID()}`, resource: { dispute_id: 'PP-D-STRANGER' } };
    await deliverAll([stranger]);
  });

  it('is answered with 503 while PayPal cannot be reached, so that PayPal repeats the event, and raises an alert', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid);
    const event = createdOf(dispute);
    await service.sandbox.armFault({ operation: 'find', kind: 'outage', times: 1 });
    expect((await deliver(event)).status).toBe(503);
    expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'disputed_at_gateway' }]);
    const rawBody = JSON.stringify(event);
    const headers = service.paypal().sign(rawBody);
    await service.takeGatewayAway();
    const away = await service.call('POST', PATH, { rawBody, headers }).finally(() => service.bringGatewayBack());
    expect(away.status).toBe(503);
    await deliverAll([event]);
    expect(await disputeOf(paid)).toMatchObject({ withdrawnAmount: '48.00' });
    expect(await disputePostingsOf(paid)).toEqual(WITHDRAWN);
    expect(await alertsOf(service, paid)).toHaveLength(1);
  });

  it('settles its payment first, if the outcome of the payment is unknown', async () => {
    const payable = await preparePayPalPayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    await deliverAll(eventsAbout(await openDispute(payable)));
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
    expect(await disputeOf(payable)).toMatchObject({ withdrawnAmount: '48.00' });
  });
});

describe('a dispute at PayPal about several payments', () => {
  it('becomes a dispute of each payment, with its part of the money and an alert', async () => {
    const [first, second] = [await preparePaid(), await preparePaid()];
    const dispute = await openDispute(first, { others: [await objectOf(service, second)] });
    expect(dispute.shown.dispute_amount.value).toBe('96.00');
    await deliverAll(eventsAbout(dispute));
    for (const paid of [first, second]) {
      const { paymentId } = paid;
      const { dispute_id: gatewayDisputeId } = dispute.shown;
      const half = { amount: '48.00', withdrawnAmount: '48.00' };
      expect(await disputeOf(paid)).toMatchObject({ paymentId, gatewayDisputeId, status: 'NeedsResponse', ...half });
      expect(await disputePostingsOf(paid)).toEqual(WITHDRAWN);
      expect((await postRefund(service, paid)).body.error.code).toBe('payment_disputed');
      expect(await alertsOf(service, paid)).toMatchObject([{ kind: 'disputed_at_gateway' }]);
    }
    paypal.winDispute(books(), dispute);
    // However often it is told, and by whichever id.
    for (const event of eventsAbout(dispute)) await deliverAll([event, event, { ...event, id: `WH-${randomUUID()}` }]);
    for (const paid of [first, second]) {
      expect(await disputeOf(paid)).toMatchObject({ status: 'Won', withdrawnAmount: '0.00' });
      expect(await disputePostingsOf(paid)).toEqual([...WITHDRAWN, ...REINSTATED]);
    }
  });

  it.each<[string, (dispute: Dispute) => void]>([
    [
      'one of which is no payment',
      ({ shown: { disputed_transactions: all } }) => Object.assign(all[1] ?? {}, { seller_transaction_id: 'NOBODYS' }),
    ],
    ['whose money cannot be told apart', ({ shown }) => Object.assign(shown.dispute_amount, { value: '70.00' })],
  ])('%s is not booked, and raises an alert', async (_name, change) => {
    const [first, second] = [await preparePaid(), await preparePaid()];
    const inquiry = await openDispute(first, { isInquiry: true, others: [await objectOf(service, second)] });
    change(inquiry);
    await deliverAll([...eventsAbout(inquiry), ...eventsAbout(inquiry)]);
    expect(await disputesOf(first)).toEqual([]);
    expect(await disputesOf(second)).toEqual([]);
    const [disputed, mismatch, ...others] = await alertsOf(service, first);
    expect([disputed?.kind, mismatch?.kind, others]).toEqual(['disputed_at_gateway', 'dispute_mismatch', []]);
    expect(mismatch?.message).toContain(inquiry.shown.dispute_id);
  });

  it('is not booked if one of them is not a payment of Paydesk, and raises an alert', async () => {
    const paid = await preparePaid();
    const ours = books().orders.get(await objectOf(service, paid));
    if (ours === undefined) throw new Error('there is no order');
    // Another system takes money by the same account.
    const [capture] = ours.purchase_units[0].payments?.captures ?? [];
    if (capture === undefined) throw new Error('there is no capture');
    const stranger = structuredClone(ours);
    Object.assign(stranger, { id: 'STRANGER1' });
    Object.assign(stranger.purchase_units[0].payments?.captures[0] ?? {}, {
      id: 'STRANGERSCAPTURE',
      supplementary_data: { related_ids: { order_id: 'STRANGER1' } },
    });
    books().orders.set('STRANGER1', stranger);
    const inquiry = await openDispute(paid, { isInquiry: true, others: ['STRANGER1'] });
    await deliverAll(eventsAbout(inquiry));
    books().orders.delete('STRANGER1');
    expect(await disputesOf(paid)).toEqual([]);
    const kinds = (await alertsOf(service, paid)).map(({ kind }) => kind);
    expect(kinds).toEqual(['disputed_at_gateway', 'dispute_mismatch']);
  });
});
