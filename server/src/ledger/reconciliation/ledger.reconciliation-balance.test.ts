/** The reconciliation lists the fees and the payouts that only one of the two books has, or that differ. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lookNow, movementsOf } from '../../../test/ledger/fees-and-payouts.ts';
import { objectOf } from '../../../test/payments/gateway-events.ts';
import { preparePaid } from '../../../test/payments/refunds.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { failPayout, payOut } from '../../../test/stand-ins/stripe/stripe-server.balance.ts';

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterAll(() => service?.stop());

type Difference = Record<string, unknown>;

async function compareAll(): Promise<{ compared: number; differences: Difference[] }> {
  const [from, to] = [new Date(Date.now() - 3_600_000).toISOString(), new Date(Date.now() + 60_000).toISOString()];
  const differences: Difference[] = [];
  let compared = 0;
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ from, to, ...(cursor === null ? {} : { cursor }) });
    const { status, body } = await service.call('GET', `/operator/reconciliation?${query}`, {
      token: service.operatorKey,
    });
    expect(status).toBe(200);
    differences.push(...body.differences);
    compared += body.compared;
    cursor = body.nextCursor;
  } while (cursor !== null);
  return { compared, differences };
}

it('fees and payouts are compared in both directions', async () => {
  const paid = await preparePaid(service);
  const [movement] = await movementsOf(service, paid);
  const payout = payOut(service.stripe().books, movement === undefined ? [] : [movement]);
  const gatewayPaymentId = await objectOf(service, paid);
  const { companyId } = paid.admin;
  expect((await compareAll()).differences).toMatchObject([
    {
      ...{ kind: 'missing_here', entry: 'fee', gatewayId: movement?.id, gatewayPaymentId, companyId, here: null },
      ...{ invoiceId: paid.invoice.id, there: { amount: '1.69', currency: 'USD', status: 'charged' } },
    },
    {
      ...{ kind: 'missing_here', entry: 'payout', gatewayId: payout.id, gatewayPaymentId: null, companyId: null },
      there: { amount: '46.31', currency: 'USD', status: 'paid' },
    },
  ]);
  await lookNow(service);
  // The payment, its fee and the payout, on each side.
  expect(await compareAll()).toEqual({ compared: 6, differences: [] });

  failPayout(service.stripe().books, payout);
  expect((await compareAll()).differences).toMatchObject([
    { kind: 'state', entry: 'payout', here: { status: 'paid' }, there: { status: 'failed' } },
  ]);
  await lookNow(service);
  expect((await compareAll()).differences).toEqual([]);

  service.stripe().books.transactions.length = 0;
  service.stripe().books.payouts.length = 0;
  expect((await compareAll()).differences).toMatchObject([
    { kind: 'missing_there', entry: 'fee', gatewayId: movement?.id, there: null, here: { amount: '1.69' } },
    { kind: 'missing_there', entry: 'payout', gatewayId: payout.id, there: null, here: { status: 'failed' } },
  ]);
});
