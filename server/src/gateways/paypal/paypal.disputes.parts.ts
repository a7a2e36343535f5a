/** Splits a dispute about several transactions among them. */

import type { Static } from 'typebox';
import { Type } from '../../platform/http/schema/type.ts';
import type { GatewayDisputeMovement } from '../gateway/gateway.disputes.ts';
import { matches } from '../gateway/gateway.shapes.ts';
import { fromPayPalAmount } from './answers/amounts.ts';
import { id, money } from './answers/answers.ts';

const DisputedTransaction = Type.Object({
  seller_transaction_id: id,
  gross_amount: Type.Optional(money),
  items: Type.Optional(Type.Array(Type.Object({ dispute_amount: Type.Optional(money) }))),
});
type Money = Static<typeof money>;
type SplitDispute = { disputed_transactions: unknown[]; dispute_amount: Money };
/** A disputed amount, and its movements, in minor units. */
export type DisputePart = { amountMinor: bigint; movements: GatewayDisputeMovement[] };

/**
 * Returns the parts by the id of the capture; null if the dispute can't be split. It can if the amounts of the transactions add up to the
 * disputed amount and each movement is of that whole amount. A part of a movement has the movement's id followed by the capture's.
 */
export function splitDispute(
  { disputed_transactions: transactions, dispute_amount: { currency_code: currency } }: SplitDispute,
  { amountMinor: totalMinor, movements }: DisputePart,
): ReadonlyMap<string, DisputePart> | null {
  const shares = new Map<string, bigint>();
  for (const transaction of transactions) {
    if (!matches(DisputedTransaction, transaction)) return null;
    const amounts = readAmounts(transaction);
    if (amounts.some((amount) => amount?.currency_code !== currency)) return null;
    const captureId = transaction.seller_transaction_id;
    shares.set(
      captureId,
      amounts.reduce((sum, amount) => sum + toMinor(amount), shares.get(captureId) ?? 0n),
    );
  }
  const parts = [...shares.values()];
  const hasMovements =
    parts.every((shareMinor) => shareMinor > 0n) &&
    parts.reduce((sum, shareMinor) => sum + shareMinor, 0n) === totalMinor &&
    movements.every(({ amountMinor }) => amountMinor === totalMinor || amountMinor === -totalMinor);
  if (!hasMovements) return null;
  const partOf = (captureId: string, shareMinor: bigint): DisputePart => ({
    amountMinor: shareMinor,
    movements: movements.map((movement) => ({
      ...movement,
      id: `${movement.id}/${captureId}`,
      amountMinor: movement.amountMinor > 0n ? shareMinor : -shareMinor,
    })),
  });
  return new Map([...shares].map(([captureId, shareMinor]) => [captureId, partOf(captureId, shareMinor)]));
}

/** Returns the disputed amounts of the items, or the whole transaction if PayPal names no items. */
function readAmounts({ items = [], gross_amount: gross }: Static<typeof DisputedTransaction>) {
  return items.length > 0 ? items.map(({ dispute_amount: amount }) => amount) : [gross];
}

function toMinor(amount: Money | undefined): bigint {
  return amount === undefined ? 0n : fromPayPalAmount(amount.value, amount.currency_code);
}
