/** Comparing disputes. PayPal's list contains only their ids, so each dispute is read by itself. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paymentOf } from '../../../test/payments/charge.ts';
import { objectOf } from '../../../test/payments/gateway-events.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../../test/payments/paypal-charge.ts';
import type { Paid } from '../../../test/payments/refunds.ts';
import * as paypal from '../../../test/stand-ins/paypal/paypal-server.disputes.ts';
import type { Dispute } from '../../../test/stand-ins/paypal/paypal-server.objects.ts';
import type { Difference } from './ledger.reconciliation.schema.ts';

const DAY_MS = 86_400_000;

let service: PayPalChargeService;
beforeAll(async () => {
  service = await startPayPalChargeService();
});
afterEach(() => service.sandbox.clearFaults());
afterAll(() => service?.stop());

const books = () => service.paypal().books;

async function preparePaid(): Promise<Paid> {
  const payable = await preparePayPalPayable(service);
  expect((await payable.pay()).status).toBe(200);
  return { ...payable, paymentId: (await paymentOf(service, payable)).id };
}

async function openDispute(paid: Paid, options = {}): Promise<Dispute> {
  return paypal.openDispute(books(), await objectOf(service, paid), options);
}

/** PayPal sends the latest event of a dispute. */
async function sendLatestEvent({ shown }: Dispute): Promise<void> {
  const events = books().events.filter(({ resource }) => JSON.stringify(resource).includes(shown.dispute_id));
  const rawBody = JSON.stringify({ ...events.at(-1), id: `WH-${randomUUID()}` });
  const headers = service.paypal().sign(rawBody);
  expect((await service.call('POST', '/gateways/paypal/webhooks', { rawBody, headers })).status).toBe(200);
}

/** The differences that the comparison finds about a dispute in the hour around this time. */
async function differencesOf({ shown }: Dispute, at = Date.now()): Promise<Difference[]> {
  const [from, to] = [-3_600_000, 3_600_000].map((ms) => new Date(at + ms).toISOString());
  const differences: Difference[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const cursorParameter: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/operator/reconciliation?gateway=paypal&from=${from}&to=${to}${cursorParameter}`;
    const { status, body } = await service.call('GET', path, { token: service.operatorKey });
    expect(status).toBe(200);
    differences.push(...body.differences);
    cursor = body.nextCursor;
  }
  return differences.filter(({ entry, gatewayId }) => entry === 'dispute' && gatewayId === shown.dispute_id);
}

describe('disputes in both books', () => {
  it('agree once their events have arrived', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid);
    expect(await differencesOf(dispute)).toEqual([
      {
        kind: 'missing_here',
        entry: 'dispute',
        gatewayId: dispute.shown.dispute_id,
        gatewayPaymentId: await objectOf(service, paid),
        ...{ id: null, companyId: null, companyExternalId: null, invoiceId: null, here: null },
        there: { amount: '48.00', currency: 'USD', status: 'needs_response' },
        purpose: null,
      },
    ]);
    await sendLatestEvent(dispute);
    expect(await differencesOf(dispute)).toEqual([]);
  });

  it('differ in the state and in what was withdrawn, until the event arrives', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid);
    await sendLatestEvent(dispute);
    paypal.submitEvidence(books(), dispute);
    const amount = { amount: '48.00', currency: 'USD' };
    expect(await differencesOf(dispute)).toMatchObject([
      {
        kind: 'state',
        companyId: paid.admin.companyId,
        invoiceId: paid.invoice.id,
        here: { ...amount, status: 'needs_response' },
        there: { ...amount, status: 'under_review' },
      },
    ]);
    paypal.winDispute(books(), dispute);
    expect(await differencesOf(dispute)).toMatchObject([
      { kind: 'amount', here: amount, there: { amount: '0.00', currency: 'USD', status: 'won' } },
    ]);
    await sendLatestEvent(dispute);
    expect(await differencesOf(dispute)).toEqual([]);
  });

  it('in another currency are only in one book', async () => {
    const dispute = await openDispute(await preparePaid());
    dispute.shown.dispute_amount = { currency_code: 'EUR', value: '40.00' };
    await sendLatestEvent(dispute);
    expect(await differencesOf(dispute)).toMatchObject([{ kind: 'missing_here', there: { currency: 'EUR' } }]);
  });

  it('differ when PayPal does not know one', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid);
    await sendLatestEvent(dispute);
    const index = books().disputes.indexOf(dispute);
    books().disputes.splice(index, 1);
    expect(await differencesOf(dispute)).toMatchObject([
      { kind: 'missing_there', companyId: paid.admin.companyId, here: { amount: '48.00' }, there: null },
    ]);
    books().disputes.push(dispute);
    expect(await differencesOf(dispute)).toEqual([]);
  });

  it('that PayPal no longer lists are read by their ids', async () => {
    const dispute = await openDispute(await preparePaid());
    const longAgo = Date.now() - 200 * DAY_MS;
    dispute.shown.create_time = `${new Date(longAgo).toISOString().slice(0, 19)}Z`;
    await sendLatestEvent(dispute);
    expect(await differencesOf(dispute, longAgo)).toEqual([]);
    paypal.submitEvidence(books(), dispute);
    expect(await differencesOf(dispute, longAgo)).toMatchObject([{ kind: 'state' }]);
  });

  it('about several payments are compared for each', async () => {
    const [first, second] = [await preparePaid(), await preparePaid()];
    const dispute = await openDispute(first, { others: [await objectOf(service, second)] });
    const half = { amount: '48.00' };
    expect(await differencesOf(dispute)).toMatchObject([
      { kind: 'missing_here', there: half },
      { kind: 'missing_here', there: half },
    ]);
    await sendLatestEvent(dispute);
    expect(await differencesOf(dispute)).toEqual([]);
    // By now it is about the first payment only.
    dispute.shown.disputed_transactions.splice(1);
    expect(await differencesOf(dispute)).toMatchObject([
      { kind: 'amount', companyId: first.admin.companyId, there: { amount: '96.00' } },
      { kind: 'missing_there', companyId: second.admin.companyId, here: half },
    ]);
  });

  it('whose money cannot be attributed to a payment differ by all that is disputed', async () => {
    const [first, second] = [await preparePaid(), await preparePaid()];
    const dispute = await openDispute(first, { others: [await objectOf(service, second)] });
    await sendLatestEvent(dispute);
    dispute.shown.dispute_amount.value = '70.00';
    const unattributed = { kind: 'amount', here: { amount: '48.00' }, there: { amount: '70.00' } };
    expect(await differencesOf(dispute)).toMatchObject([unattributed, unattributed]);
  });

  it('are all compared when PayPal has more than a page of them', async () => {
    const paid = await preparePaid();
    const disputes = await Promise.all(Array.from({ length: 60 }, () => openDispute(paid, { isInquiry: true })));
    const [first, last] = [disputes[0], disputes.at(-1)];
    if (first === undefined || last === undefined) throw new Error('there is none');
    for (const dispute of [first, last])
      expect(await differencesOf(dispute)).toMatchObject([{ kind: 'missing_here', there: { amount: '0.00' } }]);
  });

  it('cannot be compared while PayPal does not list them', async () => {
    const [from, to] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const path = `/operator/reconciliation?gateway=paypal&from=${from}&to=${to}&cursor=disputes:`;
    await service.sandbox.armFault({ operation: 'list', kind: 'outage', times: 1 });
    expect((await service.call('GET', path, { token: service.operatorKey })).status).toBe(503);
  });
});
