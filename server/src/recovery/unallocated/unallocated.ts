import { v7 as uuidv7 } from 'uuid';
import { recordMark } from '../../continuity/journal/journal.service.ts';
import type { GatewayPayment, GatewayPaymentRefund } from '../../gateways/gateway/gateway.ts';
import type { Tx } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import {
  hasPayment,
  insertEarlierRefund,
  insertUnallocated,
  markAllocated,
  markRefunded,
  type UnallocatedCapture,
} from './unallocated.operator.queries.ts';

/** A capture with all refunds that its gateway has made of it. */
export type RefundedCapture = Pick<GatewayPayment, 'id' | 'capturedAmountMinor' | 'capturedCurrency'> & {
  refunds: readonly Pick<GatewayPaymentRefund, 'id' | 'amountMinor'>[];
};

/** What the gateway has not refunded yet, in minor units. */
export function leftOf({ capturedAmountMinor, refunds }: RefundedCapture): bigint {
  return refunds.reduce((left, { amountMinor }) => left - amountMinor, capturedAmountMinor ?? 0n);
}

/** Books a capture that no invoice gets, with its refunds, and the intent to refund what is left. It can be repeated. */
export async function bookUnallocated(tx: Tx, gateway: string, capture: RefundedCapture): Promise<void> {
  const { id: gatewayPaymentId, capturedAmountMinor, capturedCurrency, refunds } = capture;
  const amountMinor = leftOf(capture);
  const refundId = amountMinor > 0n ? uuidv7() : null;
  const captureId = uuidv7();
  const isNew = await insertUnallocated(tx, {
    ...{ id: captureId, gateway, gatewayPaymentId, amountMinor, refundId },
    ...{ capturedMinor: capturedAmountMinor ?? 0n, currency: capturedCurrency ?? '' },
  });
  if (!isNew) return;
  for (const refund of refunds) {
    const { id: gatewayRefundId } = refund;
    await insertEarlierRefund(tx, { captureId, id: uuidv7(), gatewayRefundId, amountMinor: refund.amountMinor });
  }
  if (refundId === null) return;
  const document = JSON.stringify({ gateway, gatewayPaymentId, amountMinor: String(amountMinor) });
  await recordMark(tx, OPERATOR_SCOPE, { mark: refundId, kind: 'refund', subject: refundId, document });
}

/**
 * Books a capture that was refunded in full and that no payment of a company has, with its refunds. If a payment has got it since, that is
 * reversed.
 */
export async function bookRefunded(tx: Tx, gateway: string, capture: RefundedCapture): Promise<void> {
  if (leftOf(capture) > 0n) return;
  if (await hasPayment(tx, gateway, capture.id)) await markAllocated(tx, gateway, capture.id);
  else await bookUnallocated(tx, gateway, capture);
}

/** Books the refund that a person has begun, if the gateway has made it. @returns its id there; null if it has not */
export async function bookBegun(
  tx: Tx,
  { id, refundId, gatewayRefundId }: UnallocatedCapture,
  refunds: readonly Pick<GatewayPaymentRefund, 'id' | 'reference'>[],
): Promise<string | null> {
  const made = gatewayRefundId ?? refunds.find(({ reference }) => reference === refundId)?.id ?? null;
  if (made !== null) await markRefunded(tx, id, made);
  return made;
}
