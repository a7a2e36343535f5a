import { createHash } from 'node:crypto';
import { assertNotHeld } from '../../../continuity/hold/charges-hold.service.ts';
import { isKeyOf, MAX_KEY_LENGTH } from '../../../gateways/gateway/gateway.keys.ts';
import { MAX_DETAIL_LENGTH } from '../../../gateways/gateway/gateway.metadata.ts';
import {
  type Gateway,
  GatewayError,
  type GatewayPaymentRefund,
  type GatewayRefund,
  type RefundDetails,
} from '../../../gateways/gateway/gateway.ts';
import type { Db } from '../../../platform/database/database.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import type { Refund } from './refund.ts';
import { selectRefundOrigin } from './refunds.queries.ts';

/** A process that was suspended for longer sends nothing, since the gateway may have forgotten the key that other processes used. */
const SEND_WITHIN_MS = 60_000;

/**
 * Asks the gateway for the refund, once: a repeat with the same key gets the same refund.
 * `askedAtMs`: when the gateway told this process that it has no such refund, on the monotonic clock.
 * @throws GatewayError; ApiError charges_held
 */
export async function sendRefund(db: Db, gateway: Gateway, refund: Refund, askedAtMs: number): Promise<GatewayRefund> {
  const { id, amountMinor, gatewayPaymentId } = refund;
  const [details] = await Promise.all([describe(db, refund), assertNotHeld(db)]);
  if (performance.now() - askedAtMs > SEND_WITHIN_MS) {
    throw new GatewayError('not_sent', 'The refund was held up for too long; the reconciler looks for it first.');
  }
  const found = await gateway.refundPayment({
    idempotencyKey: keyOf(refund),
    gatewayPaymentId: gatewayPaymentId ?? '',
    amountMinor,
    reference: id,
    details,
  });
  failpoint('after_gateway_refund');
  return found;
}

/** Finds the refund that the gateway made for this one, or for one with the same key that the books have lost. */
export async function findRefundAtGateway(gateway: Gateway, refund: Refund): Promise<GatewayRefund | null> {
  const found = await gateway.findRefund(refund.gatewayPaymentId ?? '', refund.id);
  const { idempotencyKey } = refund;
  if (found !== null || idempotencyKey === null) return found;
  const all: GatewayPaymentRefund[] = await gateway.listRefundsOf(refund.gatewayPaymentId ?? '');
  return all.find(({ details }) => isKeyOf(details.key, idempotencyKey)) ?? null;
}

/** The key follows from the payment and the operator's key, so that a repeat finds the same refund even when the books have lost it. */
function keyOf({ id, paymentId, idempotencyKey }: Refund): string {
  const key = `${paymentId}-${idempotencyKey ?? id}-refund`;
  if (key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key;
  return `${paymentId}-${createHash('sha256').update(key).digest('base64url')}-refund`;
}

async function describe(db: Db, refund: Refund): Promise<RefundDetails> {
  const { companyId, creditNoteId, idempotencyKey, creditMinor, reason } = refund;
  const { installation, creditNoteNumber } = await selectRefundOrigin(db, companyId, creditNoteId);
  return {
    installation,
    ...(idempotencyKey === null ? {} : { key: idempotencyKey }),
    ...(creditNoteId === null || creditNoteNumber === null ? {} : { creditNoteId, creditNoteNumber }),
    creditMinor: String(creditMinor),
    reason: reason.slice(0, MAX_DETAIL_LENGTH),
  };
}
