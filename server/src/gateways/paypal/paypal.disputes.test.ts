import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureThere, startPayPalSides } from '../../../test/payments/paypal-gateway.ts';
import {
  acceptClaim,
  openDispute,
  resolve,
  winDispute,
} from '../../../test/stand-ins/paypal/paypal-server.disputes.ts';
import type { Dispute } from '../../../test/stand-ins/paypal/paypal-server.objects.ts';
import type { PayPalServer } from '../../../test/stand-ins/paypal/paypal-server.ts';
import { expectGatewayError } from '../gateway/gateway.contract.ts';
import type { Gateway } from '../gateway/gateway.ts';

let paypal: PayPalServer;
let gateway: Gateway;
beforeAll(async () => {
  ({ paypal, gateway } = await startPayPalSides());
});
afterAll(() => paypal.close());

/** Captures a payment of this amount in EUR. @returns its order */
const capture = (amountMinor?: bigint) => captureThere({ paypal, gateway }, amountMinor);

async function prepareDispute(options: Parameters<typeof openDispute>[2] = {}): Promise<Dispute> {
  return openDispute(paypal.books, await capture(), options);
}

const findAll = async ({ shown }: Dispute) => (await gateway.findDispute?.(shown.dispute_id)) ?? [];
const find = async (dispute: Dispute) => (await findAll(dispute))[0];

describe('a dispute at PayPal', () => {
  test('is read with what was withdrawn and returned; each movement always has the same id', async () => {
    const dispute = await prepareDispute({ reason: 'DUPLICATE_TRANSACTION' });
    Object.assign(dispute.movements[0] ?? {}, { initiated_time: '2026-11-02T10:20:30.123Z' });
    const { dispute_id: id, create_time: createdAt } = dispute.shown;
    const taken = { id: `${id}/2026-11-02T10:20:30Z/DEBIT/500EUR`, amountMinor: 500n, createdAt: expect.any(Date) };
    expect(await find(dispute)).toEqual({
      id,
      gatewayPaymentId: dispute.orderIds[0],
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
    // Two movements with the same content are two movements.
    dispute.movements.push(...dispute.movements.slice(0, 1));
    expect((await find(dispute))?.movements?.map((movement) => movement.id)).toEqual([
      taken.id,
      won?.movements?.[1]?.id,
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
  ])('resolved as %s is %s if the money is with the seller, %s if not', async (outcome, withMoney, without) => {
    const [taken, asked] = [await prepareDispute(), await prepareDispute({ isInquiry: true })];
    for (const dispute of [taken, asked]) resolve(paypal.books, dispute, outcome);
    expect(await find(taken)).toMatchObject({ status: withMoney });
    expect(await find(asked)).toMatchObject({ status: without, movements: [] });
  });

  test('whose money moved in another currency counts with the amount of the payment', async () => {
    const dispute = await prepareDispute({ value: '3.00' });
    Object.assign(dispute.movements[0] ?? {}, { amount: { currency_code: 'USD', value: '3.51' } });
    expect((await find(dispute))?.movements).toMatchObject([{ amountMinor: 300n }]);
  });

  test('whose claim is accepted with a refund is left to the refunds', async () => {
    const dispute = await prepareDispute({ isInquiry: true });
    acceptClaim(paypal.books, dispute);
    expect(await find(dispute)).toMatchObject({ status: 'lost', movements: [] });
    Object.assign(dispute.movements[0] ?? {}, { initiated_time: '2026-11-02T10:20:30Z' });
    expect((await find(dispute))?.movements).toMatchObject([{ amountMinor: 500n }]);
  });

  test('that is unknown, or not about an order, is ignored', async () => {
    expect(await gateway.findDispute?.('PP-D-NOBODY')).toEqual([]);
    await expectGatewayError(gateway.findDispute?.('../oauth2') ?? Promise.resolve(), 'rejected');
    const dispute = await prepareDispute();
    Object.assign(dispute.shown.disputed_transactions[0] ?? {}, { seller_transaction_id: 'NOBODYS' });
    expect(await findAll(dispute)).toEqual([]);
  });
});

describe('a dispute at PayPal about several payments', () => {
  /** Prepares a dispute about payments of 5.00 and 3.00 EUR. */
  async function prepareShared(options: Parameters<typeof openDispute>[2] = {}): Promise<Dispute> {
    return prepareDispute({ others: [await capture(300n)], ...options });
  }

  test('is read as one for each, with its share of the disputed amount and the movements', async () => {
    const dispute = await prepareShared();
    const [first, second] = dispute.orderIds;
    const status = 'needs_response';
    expect(await findAll(dispute)).toMatchObject([
      { gatewayPaymentId: first, status, amountMinor: 500n, movements: [{ amountMinor: 500n }] },
      { gatewayPaymentId: second, status, amountMinor: 300n, movements: [{ amountMinor: 300n }] },
    ]);
    const ids = (await findAll(dispute)).flatMap(({ movements }) => movements ?? []).map(({ id }) => id);
    const captures = dispute.shown.disputed_transactions.map(({ seller_transaction_id: id }) => id);
    expect(ids.map((id) => id.replace(/\/[^/]*Z\//, '/T/'))).toEqual(
      captures.map((captureId) => `${dispute.shown.dispute_id}/T/DEBIT/800EUR/${captureId}`),
    );
    winDispute(paypal.books, dispute);
    expect(await findAll(dispute)).toMatchObject([
      { status: 'won', movements: [{ amountMinor: 500n }, { amountMinor: -500n }] },
      { status: 'won', movements: [{ amountMinor: 300n }, { amountMinor: -300n }] },
    ]);
  });

  test('has the amounts of the items if PayPal names them', async () => {
    const dispute = await prepareShared({ value: '4.00' });
    const [first, second] = dispute.shown.disputed_transactions;
    const items = (...values: string[]) => ({
      items: values.map((value) => ({ dispute_amount: { currency_code: 'EUR', value } })),
    });
    Object.assign(first ?? {}, items('0.50', '1.50'));
    Object.assign(second ?? {}, items('2.00'));
    expect(await findAll(dispute)).toMatchObject([
      { amountMinor: 200n, movements: [{ amountMinor: 200n }] },
      { amountMinor: 200n, movements: [{ amountMinor: 200n }] },
    ]);
  });

  test('whose claim is accepted with refunds is left to the refunds', async () => {
    const dispute = await prepareShared({ isInquiry: true });
    acceptClaim(paypal.books, dispute);
    const lost = { status: 'lost', movements: [] };
    expect(await findAll(dispute)).toMatchObject([lost, lost]);
  });

  test.each<[string, (dispute: Dispute) => void]>([
    ['amounts that do not come to what is disputed', ({ shown }) => (shown.dispute_amount.value = '7.99')],
    [
      'a movement of a part',
      ({ movements }) =>
        movements.push({
          ...{ party: 'SELLER', type: 'CREDIT', reason: 'DISPUTE_SETTLEMENT', initiated_time: '2026-11-02T10:20:30Z' },
          amount: { currency_code: 'EUR', value: '5.00' },
        }),
    ],
    [
      'an amount in another currency',
      ({ shown: { disputed_transactions: all } }) =>
        Object.assign(all[1] ?? {}, { gross_amount: { currency_code: 'USD', value: '3.00' } }),
    ],
    [
      'a transaction without an amount',
      ({ shown: { disputed_transactions: all } }) => Object.assign(all[1] ?? {}, { gross_amount: undefined }),
    ],
    [
      'a transaction of nothing',
      ({ shown: { disputed_transactions: all } }) => {
        Object.assign(all[0] ?? {}, { gross_amount: { currency_code: 'EUR', value: '8.00' } });
        Object.assign(all[1] ?? {}, { gross_amount: { currency_code: 'EUR', value: '0.00' } });
      },
    ],
  ])('with %s is not divided', async (_name, change) => {
    const dispute = await prepareShared();
    change(dispute);
    const withoutMovements = {
      amountMinor: BigInt(dispute.shown.dispute_amount.value.replace('.', '')),
      movements: null,
    };
    expect(await findAll(dispute)).toMatchObject([withoutMovements, withoutMovements]);
  });

  test('one of which does not belong to an order is not divided', async () => {
    const dispute = await prepareShared();
    Object.assign(dispute.shown.disputed_transactions[1] ?? {}, { seller_transaction_id: 'NOBODYS' });
    expect(await findAll(dispute)).toMatchObject([{ gatewayPaymentId: dispute.orderIds[0], movements: null }]);
  });
});
