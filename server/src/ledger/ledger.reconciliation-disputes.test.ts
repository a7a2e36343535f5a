/** Disputes of two books: PayPal's list says no more than their ids, so each is read from it. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paymentOf } from '../../test/payments/charge.ts';
import { objectOf } from '../../test/payments/gateway-events.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../test/payments/paypal-charge.ts';
import type { Paid } from '../../test/payments/refunds.ts';
import * as paypal from '../../test/stand-ins/paypal/paypal-server.disputes.ts';
import type { Dispute } from '../../test/stand-ins/paypal/paypal-server.objects.ts';
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

/** PayPal tells the last that happened to a dispute. */
async function tell({ shown }: Dispute): Promise<void> {
  const told = books().events.filter(({ resource }) => JSON.stringify(resource).includes(shown.dispute_id));
  const rawBody = JSON.stringify({ ...told.at(-1), id: `WH-${randomUUID()}` });
  const headers = service.paypal().sign(rawBody);
  expect((await service.call('POST', '/gateways/paypal/webhooks', { rawBody, headers })).status).toBe(200);
}

/** What the comparison lists about a dispute, of the hour around this time. */
async function differencesOf({ shown }: Dispute, at = Date.now()): Promise<Difference[]> {
  const [from, to] = [-3_600_000, 3_600_000].map((ms) => new Date(at + ms).toISOString());
  const differences: Difference[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const place: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/operator/reconciliation?gateway=paypal&from=${from}&to=${to}${place}`;
    const { status, body } = await service.call('GET', path, { token: service.operatorKey });
    expect(status).toBe(200);
    differences.push(...body.differences);
    cursor = body.nextCursor;
  }
  return differences.filter(({ entry, gatewayId }) => entry === 'dispute' && gatewayId === shown.dispute_id);
}

describe('disputes of two books', () => {
  it('do not differ once they were told of', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid);
    expect(await differencesOf(dispute)).toEqual([
      {
        kind: 'missing_here',
        entry: 'dispute',
        gatewayId: dispute.shown.dispute_id,
        gatewayPaymentId: await objectOf(service, paid),
        ...{ id: null, companyId: null, invoiceId: null, here: null },
        there: { amount: '48.00', currency: 'USD', status: 'needs_response' },
        purpose: null,
      },
    ]);
    await tell(dispute);
    expect(await differencesOf(dispute)).toEqual([]);
  });

  it('differ in the state, and in what was withdrawn, until that is told', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid);
    await tell(dispute);
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
    await tell(dispute);
    expect(await differencesOf(dispute)).toEqual([]);
  });

  it('in another currency are in one book alone', async () => {
    const dispute = await openDispute(await preparePaid());
    dispute.shown.dispute_amount = { currency_code: 'EUR', value: '40.00' };
    await tell(dispute);
    expect(await differencesOf(dispute)).toMatchObject([{ kind: 'missing_here', there: { currency: 'EUR' } }]);
  });

  it('differ when PayPal knows nothing of one', async () => {
    const paid = await preparePaid();
    const dispute = await openDispute(paid);
    await tell(dispute);
    const place = books().disputes.indexOf(dispute);
    books().disputes.splice(place, 1);
    expect(await differencesOf(dispute)).toMatchObject([
      { kind: 'missing_there', companyId: paid.admin.companyId, here: { amount: '48.00' }, there: null },
    ]);
    books().disputes.push(dispute);
    expect(await differencesOf(dispute)).toEqual([]);
  });

  it('that PayPal does not list any more are asked for, each by itself', async () => {
    const dispute = await openDispute(await preparePaid());
    const longAgo = Date.now() - 200 * DAY_MS;
    dispute.shown.create_time = `${new Date(longAgo).toISOString().slice(0, 19)}Z`;
    await tell(dispute);
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
    await tell(dispute);
    expect(await differencesOf(dispute)).toEqual([]);
    // It is about the first alone by now.
    dispute.shown.disputed_transactions.splice(1);
    expect(await differencesOf(dispute)).toMatchObject([
      { kind: 'amount', companyId: first.admin.companyId, there: { amount: '96.00' } },
      { kind: 'missing_there', companyId: second.admin.companyId, here: half },
    ]);
  });

  it('whose money can not be told apart differ with all that is disputed', async () => {
    const [first, second] = [await preparePaid(), await preparePaid()];
    const dispute = await openDispute(first, { others: [await objectOf(service, second)] });
    await tell(dispute);
    dispute.shown.dispute_amount.value = '70.00';
    const untold = { kind: 'amount', here: { amount: '48.00' }, there: { amount: '70.00' } };
    expect(await differencesOf(dispute)).toMatchObject([untold, untold]);
  });

  it('more than a page of PayPal’s are all compared', async () => {
    const paid = await preparePaid();
    const disputes = await Promise.all(Array.from({ length: 60 }, () => openDispute(paid, { isInquiry: true })));
    const [first, last] = [disputes[0], disputes.at(-1)];
    if (first === undefined || last === undefined) throw new Error('there is none');
    for (const dispute of [first, last])
      expect(await differencesOf(dispute)).toMatchObject([{ kind: 'missing_here', there: { amount: '0.00' } }]);
  });

  it('can not be compared while PayPal does not list them', async () => {
    const [from, to] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const path = `/operator/reconciliation?gateway=paypal&from=${from}&to=${to}&cursor=disputes:`;
    await service.sandbox.armFault({ operation: 'list', kind: 'outage', times: 1 });
    expect((await service.call('GET', path, { token: service.operatorKey })).status).toBe(503);
  });
});
