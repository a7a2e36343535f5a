import { failpoint } from '../failpoints.ts';
import { type Gateway, GatewayError, type GatewayRefund } from '../gateways/gateway.ts';
import type { Refund } from './refunds.refund.ts';

/** A process that was stopped for longer sends nothing: the gateway may have forgotten the key under which others did. */
const SEND_WITHIN_MS = 60_000;

/**
 * Asks the gateway to give the money back, once: sent again, the same key answers with the same refund.
 * `begunMs` is when this process took the refund up, on the monotonic clock. @throws GatewayError
 */
export async function sendRefund(gateway: Gateway, refund: Refund, begunMs: number): Promise<GatewayRefund> {
  const { id, amountMinor, gatewayPaymentId } = refund;
  if (performance.now() - begunMs > SEND_WITHIN_MS) {
    throw new GatewayError('not_sent', 'The refund was held up for too long; the reconciler looks for it first.');
  }
  const found = await gateway.refundPayment({
    idempotencyKey: `${id}-refund`,
    gatewayPaymentId: gatewayPaymentId ?? '',
    amountMinor,
    reference: id,
  });
  failpoint('after_gateway_refund');
  return found;
}
