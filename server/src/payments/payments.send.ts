import { type Db, violatedConstraint } from '../database/database.ts';
import { failpoint } from '../failpoints.ts';
import { type Gateway, GatewayError, type GatewayPayment } from '../gateways/gateway.ts';
import type { Payment } from './payments.payment.ts';
import { markSending } from './payments.queries.ts';

/**
 * How long after it was seen to be open an object may be confirmed. A sender that was stopped for longer, and goes on, must not send
 * what somebody else has ended meanwhile (decision 0018). Between the two stands one short transaction.
 */
const CONFIRM_WINDOW_MS = 30_000;

/**
 * G1, T2 and G2: an object at the gateway that moves no money, its id written down, its confirmation. Sent again, the
 * same keys answer with the same object.
 * @returns null when somebody else has moved the payment on. @throws GatewayError
 */
export async function sendToGateway(db: Db, gateway: Gateway, payment: Payment): Promise<GatewayPayment | null> {
  const { companyId, id, amountMinor, currency, gatewayToken } = payment;
  const created = await gateway.createPayment({
    idempotencyKey: createKey(payment),
    amountMinor,
    currency,
    sourceToken: gatewayToken ?? '',
    reference: id,
    debt: `ref:${companyId}:${payment.invoiceId}`,
    sequence: 1,
    details: { invoiceId: payment.invoiceId },
  });
  const seenAtMs = performance.now();
  failpoint('after_gateway_create');
  try {
    if (!(await markSending(db, companyId, id, created.id))) return null;
  } catch (error) {
    if (violatedConstraint(error) !== 'payments_gateway_object_taken') throw error;
    throw new GatewayError('outcome_unknown', 'The gateway answered with the object of another payment.');
  }
  failpoint('after_sending');
  return confirmAtGateway(gateway, payment, { id: created.id, seenAtMs });
}

/**
 * G2: moves the money, once. What the gateway refuses to confirm it would refuse again: that is canceled, so that nothing
 * can capture it later. Too late after the object was seen nothing is sent. @throws GatewayError
 */
export async function confirmAtGateway(
  gateway: Gateway,
  { id, gatewayToken }: Payment,
  { id: gatewayPaymentId, seenAtMs }: { id: string; seenAtMs: number },
): Promise<GatewayPayment> {
  if (performance.now() > seenAtMs + CONFIRM_WINDOW_MS) {
    throw new GatewayError('outcome_unknown', 'This process stood still for too long to confirm the payment.');
  }
  const request = { gatewayPaymentId, idempotencyKey: `${id}-confirm`, sourceToken: gatewayToken ?? '' };
  const answer = await gateway.confirmPayment(request).catch((error: unknown) => {
    if (error instanceof GatewayError && error.kind === 'rejected') return gateway.cancelPayment(gatewayPaymentId);
    throw error;
  });
  failpoint('after_confirm');
  return answer;
}

/**
 * Gateways keep an error with the key that met it, for a day even, so from the second look on the reconciler asks with
 * new keys. A second object does no harm: only the one that T2 wrote down is ever confirmed.
 */
function createKey({ id, reconcileCount }: Payment): string {
  return reconcileCount < 2 ? `${id}-create` : `${id}-create-${reconcileCount}`;
}
