import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount } from '../../../test/paypal-server.books.ts';
import { acceptClaim, openDispute, resolve, winDispute } from '../../../test/paypal-server.disputes.ts';
import type { Dispute } from '../../../test/paypal-server.objects.ts';
import {
  PAYPAL_CLIENT_ID,
  PAYPAL_CLIENT_SECRET,
  type PayPalServer,
  startPayPalServer,
} from '../../../test/paypal-server.ts';
import { confirmationOf, expectGatewayError } from '../gateway.contract.ts';
import type { Gateway } from '../gateway.ts';
import { createPayPalGateway } from './paypal.gateway.ts';

let paypal: PayPalServer;
let gateway: Gateway;
beforeAll(async () => {
  paypal = await startPayPalServer();
  const credentials = { clientId: PAYPAL_CLIENT_ID, clientSecret: PAYPAL_CLIENT_SECRET };
  gateway = createPayPalGateway({ ...credentials, baseUrl: paypal.url });
});
afterAll(() => paypal.close());

async function prepareDispute(options: Parameters<typeof openDispute>[2] = {}): Promise<Dispute> {
  const sourceToken = `vault/${addAccount(paypal.books)}`;
  const keys = { idempotencyKey: randomUUID(), reference: randomUUID() };
  const { id } = await gateway.createPayment({ ...keys, amountMinor: 500n, currency: 'EUR', sourceToken });
  await gateway.confirmPayment(confirmationOf(id, randomUUID(), sourceToken));
  return openDispute(paypal.books, id, options);
}

const find = async ({ shown }: Dispute) => gateway.findDispute?.(shown.dispute_id) ?? null;

describe('a dispute of PayPal', () => {
  test('is read with what the seller paid and got back, each movement by the same id every time', async () => {
    const dispute = await prepareDispute({ reason: 'DUPLICATE_TRANSACTION' });
    Object.assign(dispute.movements[0] ?? {}, { initiated_time: '2026-11-02T10:20:30.123Z' });
    const { dispute_id: id, create_time: createdAt } = dispute.shown;
    const taken = { id: `${id}/2026-11-02T10:20:30Z/DEBIT/500EUR`, amountMinor: 500n, createdAt: expect.any(Date) };
    expect(await find(dispute)).toEqual({
      id,
      gatewayPaymentId: dispute.orderId,
      status: 'needs_response',
      amountMinor: 500n,
      currency: 'EUR',
      reason: 'DUPLICATE_TRANSACTION',
      movements: [taken],
      createdAt: new Date(createdAt),
    });
    winDispute(paypal.books, dispute);
    const won = await find(dispute);
    expect(won).toMatchObject({ status: 'won', movements: [taken, { amountMinor: -500n }] });
    expect(await find(dispute)).toEqual(won);
    // Two that look the same are two.
    dispute.movements.push(...dispute.movements.slice(0, 1));
    expect((await find(dispute))?.movements.map((movement) => movement.id)).toEqual([
      taken.id,
      won?.movements[1]?.id,
      `${taken.id}/2`,
    ]);
  });

  test.each([
    ['OPEN', 'needs_response'],
    ['WAITING_FOR_SELLER_RESPONSE', 'needs_response'],
    ['WAITING_FOR_BUYER_RESPONSE', 'under_review'],
    ['UNDER_REVIEW', 'under_review'],
    ['OTHER', 'under_review'],
  ] as const)('that is %s is %s', async (status, expected) => {
    const dispute = await prepareDispute();
    dispute.shown.status = status;
    expect(await find(dispute)).toMatchObject({ status: expected });
  });

  test.each([
    ['RESOLVED_BUYER_FAVOUR', 'lost', 'lost'],
    ['ACCEPTED', 'lost', 'lost'],
    ['RESOLVED_SELLER_FAVOUR', 'won', 'won'],
    ['DENIED', 'won', 'won'],
    ['RESOLVED_WITH_PAYOUT', 'lost', 'closed'],
    ['CANCELED_BY_BUYER', 'lost', 'closed'],
    ['NONE', 'lost', 'closed'],
  ])('resolved as %s is %s with our money, %s without', async (outcome, withMoney, without) => {
    const [taken, asked] = [await prepareDispute(), await prepareDispute({ isInquiry: true })];
    for (const dispute of [taken, asked]) resolve(paypal.books, dispute, outcome);
    expect(await find(taken)).toMatchObject({ status: withMoney });
    expect(await find(asked)).toMatchObject({ status: without, movements: [] });
  });

  test('whose money moved in another currency counts as the payment has it', async () => {
    const dispute = await prepareDispute({ value: '3.00' });
    Object.assign(dispute.movements[0] ?? {}, { amount: { currency_code: 'USD', value: '3.51' } });
    expect((await find(dispute))?.movements).toMatchObject([{ amountMinor: 300n }]);
  });

  test('whose claim is accepted by a refund leaves that to the refunds', async () => {
    const dispute = await prepareDispute({ isInquiry: true });
    acceptClaim(paypal.books, dispute);
    expect(await find(dispute)).toMatchObject({ status: 'lost', movements: [] });
    Object.assign(dispute.movements[0] ?? {}, { initiated_time: '2026-11-02T10:20:30Z' });
    expect((await find(dispute))?.movements).toMatchObject([{ amountMinor: 500n }]);
  });

  test('that is unknown, or about several payments, is none of ours', async () => {
    expect(await gateway.findDispute?.('PP-D-NOBODY')).toBeNull();
    await expectGatewayError(gateway.findDispute?.('../oauth2') ?? Promise.resolve(), 'rejected');
    const dispute = await prepareDispute();
    dispute.shown.disputed_transactions.push({ seller_transaction_id: 'ANOTHER1', seller: { merchant_id: 'M' } });
    expect(await find(dispute)).toBeNull();
  });
});
