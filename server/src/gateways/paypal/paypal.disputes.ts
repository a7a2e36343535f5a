/** Reads disputes (https://developer.paypal.com/docs/api/customer-disputes/v1/), for which PayPal's package has no functions. */

import type { Static } from 'typebox';
import { Type } from '../../platform/http/schema/type.ts';
import type { GatewayDispute, GatewayDisputeMovement } from '../gateway/gateway.disputes.ts';
import { matches } from '../gateway/gateway.shapes.ts';
import { GatewayError } from '../gateway/gateway.ts';
import { fromPayPalAmount } from './answers/amounts.ts';
import { id, instant, listRefundsIn, money, read, readOrder, toDate, unreadable, word } from './answers/answers.ts';
import { type AskPayPal, PayPalRefusal } from './answers/connection.ts';
import { findOrderOfCapture } from './paypal.books.ts';
import { splitDispute } from './paypal.disputes.parts.ts';

const someWord = Type.Optional(word);
const Movement = Type.Object({
  party: someWord,
  affected_party: someWord,
  type: someWord,
  reason: someWord,
  amount: Type.Optional(money),
  initiated_time: Type.Optional(instant),
});
const Dispute = Type.Object({
  dispute_id: id,
  create_time: instant,
  disputed_transactions: Type.Array(Type.Object({ seller_transaction_id: Type.Optional(id) })),
  reason: someWord,
  status: word,
  dispute_amount: money,
  dispute_outcome: Type.Optional(Type.Object({ outcome_code: someWord })),
  fund_movements: Type.Optional(Type.Array(Movement)),
  money_movements: Type.Optional(Type.Array(Movement)),
});
type Dispute = Static<typeof Dispute>;
type Movement = Static<typeof Movement>;

/** PayPal allows a thousand transactions in a dispute. Paydesk looks up the orders of this many. */
const MAX_PAYMENTS = 20;
/** The greatest difference between the times of a refund and of its movement. */
const SAME_TIME_MS = 300_000;
/** While PayPal waits for the buyer, the seller has nothing to do. */
const STATUSES: ReadonlyMap<string, GatewayDispute['status']> = new Map([
  ['OPEN', 'needs_response'],
  ['WAITING_FOR_SELLER_RESPONSE', 'needs_response'],
  ['WAITING_FOR_BUYER_RESPONSE', 'under_review'],
  ['UNDER_REVIEW', 'under_review'],
  ['OTHER', 'under_review'],
]);
/** The outcomes that name a winner. With any other, the movements decide: PayPal or the seller may pay, even if it is canceled. */
const OUTCOMES: ReadonlyMap<string, GatewayDispute['status']> = new Map([
  ['RESOLVED_BUYER_FAVOUR', 'lost'],
  ['ACCEPTED', 'lost'],
  ['RESOLVED_SELLER_FAVOUR', 'won'],
  ['DENIED', 'won'],
]);

/**
 * Reads a dispute, and returns one for each order in it; none if PayPal knows no such dispute or it has no order. PayPal does not name
 * the order of a movement, so a dispute about several orders is split as `splitDispute` describes; if it can't be, each keeps the whole
 * amount and unknown movements. @throws GatewayError
 */
export async function findDispute(ask: AskPayPal, disputeId: string): Promise<GatewayDispute[]> {
  // Another id could change the path of the request.
  if (!matches(id, disputeId)) throw new GatewayError('rejected', 'PayPal has no ids of this form.');
  const answer = await askFor(ask, disputeId);
  if (answer === null) return [];
  const dispute = read(Dispute, answer);
  if (dispute.dispute_id !== disputeId) throw unreadable();
  const captures = new Set(dispute.disputed_transactions.map(({ seller_transaction_id: captureId }) => captureId));
  const orders = await findOrders(ask, [...captures].slice(0, MAX_PAYMENTS));
  const moved = readMovements(dispute);
  const whole = { amountMinor: toMinor(dispute.dispute_amount), movements: moved };
  const isOne = captures.size === 1;
  // Each capture must belong to a different order.
  const parts = isOne || orders.size < captures.size ? null : splitDispute(dispute, whole);
  const disputes: GatewayDispute[] = [];
  for (const [orderId, captureId] of orders) {
    const part = isOne ? whole : parts?.get(captureId);
    const movements = part === undefined ? null : await excludeRefunds(ask, orderId, part.movements);
    disputes.push({
      id: disputeId,
      gatewayPaymentId: orderId,
      status: readStatus(dispute, movements ?? moved),
      amountMinor: (part ?? whole).amountMinor,
      currency: dispute.dispute_amount.currency_code,
      reason: dispute.reason ?? 'OTHER',
      movements,
      createdAt: toDate(dispute.create_time),
    });
  }
  return disputes;
}

/** Returns the captures by order, without those that have no order. */
async function findOrders(ask: AskPayPal, captures: (string | undefined)[]): Promise<Map<string, string>> {
  const orders = new Map<string, string>();
  for (const captureId of captures) {
    const orderId = captureId === undefined ? null : await findOrderOfCapture(ask, captureId);
    if (captureId !== undefined && orderId !== null) orders.set(orderId, captureId);
  }
  return orders;
}

async function askFor(ask: AskPayPal, disputeId: string): Promise<unknown> {
  try {
    return await ask(({ get }) => get(`/v1/customer/disputes/${disputeId}`));
  } catch (error) {
    if (error instanceof PayPalRefusal && error.status === 404) return null;
    throw error;
  }
}

/**
 * Removes the movements that are refunds. If the seller accepts a claim, PayPal pays it by a refund and also shows a movement; the books
 * have it as a refund, with the same amount at the same time.
 */
async function excludeRefunds(
  ask: AskPayPal,
  orderId: string,
  movements: GatewayDisputeMovement[],
): Promise<GatewayDisputeMovement[]> {
  if (!movements.some(({ amountMinor }) => amountMinor > 0n)) return movements;
  const refunds = listRefundsIn(readOrder(await ask(({ orders }) => orders.getOrder({ id: orderId })), orderId));
  return movements.filter(({ amountMinor, createdAt }) => {
    const index = refunds.findIndex(
      (refund) =>
        refund.amountMinor === amountMinor &&
        Math.abs(refund.createdAt.getTime() - createdAt.getTime()) <= SAME_TIME_MS,
    );
    if (index >= 0) refunds.splice(index, 1);
    return index < 0;
  });
}

function toMinor({ currency_code: currency, value }: Dispute['dispute_amount']): bigint {
  return fromPayPalAmount(value, currency);
}

function readStatus(
  { status, dispute_outcome: outcome }: Dispute,
  movements: GatewayDisputeMovement[],
): GatewayDispute['status'] {
  if (status !== 'RESOLVED') {
    const open = STATUSES.get(status);
    if (open === undefined) throw unreadable();
    return open;
  }
  const takenMinor = movements.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  return OUTCOMES.get(outcome?.outcome_code ?? '') ?? (takenMinor > 0n ? 'lost' : 'closed');
}

/** Reads what the seller paid and got back, without PayPal's fees. `money_movements` is the older name of `fund_movements`. */
function readMovements(dispute: Dispute): GatewayDisputeMovement[] {
  const { fund_movements: funds = [], money_movements: before = [] } = dispute;
  const counts = new Map<string, number>();
  return (funds.length > 0 ? funds : before).flatMap((movement) => {
    const isOurs = (movement.party ?? movement.affected_party) === 'SELLER';
    if (!isOurs || (movement.reason ?? '').endsWith('_FEE')) return [];
    const { key, amountMinor, createdAt } = readMovement(dispute, movement);
    if (amountMinor === 0n) return [];
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return [{ id: count === 1 ? key : `${key}/${count}`, amountMinor, createdAt }];
  });
}

/**
 * Reads a movement. PayPal gives it no id, so its id is derived from its fields and stays the same. If the balance has another currency
 * than the payment, the movement counts as the whole disputed amount.
 */
function readMovement(dispute: Dispute, { type, amount, initiated_time: time }: Movement) {
  if (amount === undefined || time === undefined || (type !== 'DEBIT' && type !== 'CREDIT')) throw unreadable();
  const { currency_code: currency, value } = amount;
  const ownMinor = fromPayPalAmount(value.replace('-', ''), currency);
  const { dispute_id: disputeId, dispute_amount: disputed } = dispute;
  const isSame = currency === disputed.currency_code || ownMinor === 0n;
  const minor = isSame ? ownMinor : toMinor(disputed);
  const createdAt = toDate(time);
  const second = `${createdAt.toISOString().slice(0, 19)}Z`;
  const key = `${disputeId}/${second}/${type}/${ownMinor}${currency}`;
  return { key, amountMinor: type === 'DEBIT' ? minor : -minor, createdAt };
}
