/** Reads Stripe's disputes (https://docs.stripe.com/api/disputes). */
import type { Static } from 'typebox';
import { Type } from '../../../platform/http/schema/type.ts';
import type { GatewayDispute } from '../../gateway/gateway.disputes.ts';
import { textLike } from '../../gateway/gateway.shapes.ts';
import { fromStripeAmount } from './stripe.amounts.ts';
import { read, unreadable } from './stripe.answers.ts';

const id = textLike(/^[\w-]{1,255}$/);
const amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const currency = textLike(/^[a-z]{3}$/);
const word = textLike(/^[a-z0-9_]{1,64}$/);
const seconds = Type.Integer({ minimum: 0, maximum: 100_000_000_000 });

const Dispute = Type.Object({
  id,
  object: Type.Enum(['dispute']),
  status: word,
  amount,
  currency,
  reason: word,
  created: seconds,
  payment_intent: Type.Optional(Type.Union([id, Type.Null()])),
  balance_transactions: Type.Array(
    Type.Object({
      id,
      amount: Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      currency,
      created: seconds,
    }),
  ),
});
type Dispute = Static<typeof Dispute>;

/** An appeal opens the dispute again. An inquiry (`warning_…`) closes without a winner. */
const DISPUTE_STATUSES: ReadonlyMap<string, GatewayDispute['status']> = new Map([
  ['warning_needs_response', 'needs_response'],
  ['needs_response', 'needs_response'],
  ['appeal_needs_response', 'needs_response'],
  ['warning_under_review', 'under_review'],
  ['under_review', 'under_review'],
  ['appeal_under_review', 'under_review'],
  ['warning_closed', 'closed'],
  ['prevented', 'closed'],
  ['won', 'won'],
  ['lost', 'lost'],
]);

/** Converts a dispute; null if it is not about a payment intent, so not about ours. @throws GatewayError `outcome_unknown` */
export function readDispute(answer: unknown): GatewayDispute | null {
  const dispute = read(Dispute, answer);
  const status = DISPUTE_STATUSES.get(dispute.status);
  if (status === undefined) throw unreadable();
  const { payment_intent: gatewayPaymentId } = dispute;
  if (gatewayPaymentId === null || gatewayPaymentId === undefined) return null;
  const code = dispute.currency.toUpperCase();
  return {
    id: dispute.id,
    gatewayPaymentId,
    status,
    amountMinor: fromStripeAmount(dispute.amount, code),
    currency: code,
    reason: dispute.reason,
    movements: dispute.balance_transactions.flatMap((movement) => readDisputeMovement(dispute, movement)),
    createdAt: new Date(dispute.created * 1_000),
  };
}

/** Reads a movement. If the balance has another currency than the payment, the movement counts as the whole disputed amount. */
function readDisputeMovement(dispute: Dispute, movement: Dispute['balance_transactions'][number]) {
  const moved = movement.currency === dispute.currency ? Math.abs(movement.amount) : dispute.amount;
  if (movement.amount === 0 || moved === 0) return [];
  const amountMinor = fromStripeAmount(moved, dispute.currency.toUpperCase());
  const createdAt = new Date(movement.created * 1_000);
  return [{ id: movement.id, amountMinor: movement.amount < 0 ? amountMinor : -amountMinor, createdAt }];
}
