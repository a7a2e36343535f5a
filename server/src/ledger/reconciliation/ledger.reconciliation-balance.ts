/** Compares what a gateway took as fees and paid out. A gateway that does not show its balance has nothing to compare. */
import type { GatewayMovement } from '../../gateways/gateway/gateway.books.ts';
import type { Gateway, GatewayBookRequest } from '../../gateways/gateway/gateway.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { compare, describe } from './ledger.differences.ts';
import { selectFeesAt, selectPayoutsAt } from './ledger.reconciliation.balance.operator.queries.ts';
import { type BookedRow, selectPaymentsAt } from './ledger.reconciliation.operator.queries.ts';
import type { Difference } from './ledger.reconciliation.schema.ts';

type Compared = { compared: number; differences: Difference[]; next: string | null };
const NOTHING: Compared = { compared: 0, differences: [], next: null };
const NO_ENTRIES = { entries: [], nextCursor: null };

/** A page of the gateway's fees for payments in the books against ours. @throws GatewayError */
export async function compareFees(db: Queryable, gateway: Gateway, request: GatewayBookRequest): Promise<Compared> {
  if (gateway.listMovements === undefined) return NOTHING;
  const { entries, nextCursor } = await gateway.listMovements(request);
  const charged = entries.flatMap((movement) => toFee(movement) ?? []);
  const gatewayIds = JSON.stringify(charged.map(({ gatewayPaymentId }) => gatewayPaymentId));
  const payments = await selectPaymentsAt(db, gateway.name, { gatewayIds, ids: '[]' });
  const paymentOf = new Map(payments.map((payment) => [payment.gatewayId, payment]));
  const fees = charged.filter(({ gatewayPaymentId }) => paymentOf.has(gatewayPaymentId));
  const rows = await selectFeesAt(db, gateway.name, JSON.stringify(fees.map(({ gatewayId }) => gatewayId)));
  const ours = new Map(rows.map((row) => [row.gatewayId, row]));
  const differences = fees.flatMap((fee) => {
    const { companyId = null, invoiceId = null } = paymentOf.get(fee.gatewayPaymentId) ?? {};
    return compare('fee', fee, ours.get(fee.gatewayId)).map((one) => ({ ...one, companyId, invoiceId }));
  });
  return { compared: fees.length, differences, next: nextCursor };
}

function toFee({ id: gatewayId, gatewayPaymentId, feeMinor: amountMinor, currency }: GatewayMovement) {
  if (amountMinor === 0n || gatewayPaymentId === null) return null;
  return { gatewayId, gatewayPaymentId, amountMinor, currency, done: 'charged' };
}

/** A page of the gateway's payouts against ours, each as a whole: also one of which nothing is ours. @throws GatewayError */
export async function comparePayouts(db: Queryable, gateway: Gateway, request: GatewayBookRequest): Promise<Compared> {
  if (gateway.listPayouts === undefined) return NOTHING;
  const { entries, nextCursor } = await gateway.listPayouts(request);
  const payouts = entries.filter(({ status }) => status !== 'pending');
  const rows = await selectPayoutsAt(db, gateway.name, JSON.stringify(payouts.map(({ id }) => id)));
  const ours = new Map(rows.map((row) => [row.gatewayId, row]));
  const differences = payouts.flatMap(({ id: gatewayId, status: done, amountMinor, currency }) =>
    compare('payout', { gatewayId, gatewayPaymentId: null, amountMinor, currency, done }, ours.get(gatewayId)),
  );
  return { compared: payouts.length, differences, next: nextCursor };
}

/** The gateway's movements and payouts as a comparison of our entries lists and asks for them. */
export function balanceBook(gateway: Gateway, entry: 'fee' | 'payout') {
  const list = async (request: GatewayBookRequest) => {
    const page = await (entry === 'fee' ? gateway.listMovements?.(request) : gateway.listPayouts?.(request));
    const { entries, nextCursor } = page ?? NO_ENTRIES;
    return { entries: entries.map(({ id }) => id), nextCursor };
  };
  const check = async (our: BookedRow) => {
    const id = our.gatewayId ?? '';
    const found = await (entry === 'fee' ? gateway.findMovement?.(id) : gateway.findPayout?.(id));
    return found === null ? [describe('missing_there', entry, { our })] : [];
  };
  return { list, check };
}
