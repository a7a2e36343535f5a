import type { GatewayError, GatewayPayment } from '../../gateways/gateway/gateway.ts';
import type { ConfiguredGateway } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { adoptIfCaptured } from '../adopt/lost-captures.ts';
import { cancelObject } from '../debt/debt.ts';
import { recordDecline } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import { settleCanceled, settleCaptured, settleUnsent } from '../settlement/settle-payment.ts';

/**
 * Acts on what the gateway says about a payment. A decline is final only once the gateway's object is canceled, because until then the
 * gateway could still capture it. The payment fails only if nothing else of its debt was captured.
 * @returns false while there is no outcome
 * @throws GatewayError when the gateway gave no answer; ApiError charges_held instead of a failure
 */
export async function applyOutcome(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  found: GatewayPayment,
): Promise<boolean> {
  switch (found.status) {
    case 'captured':
      await settleCaptured(db, payment, found);
      return true;
    case 'canceled':
      // Another object of the same debt may have been captured.
      if (!(await adoptIfCaptured(db, gateway, payment))) await settleCanceled(db, payment, found.id);
      return true;
    case 'declined': {
      await recordDecline(db, payment.companyId, payment.id, found.declineCode);
      failpoint('after_decline');
      const canceled = await cancelObject(gateway, payment, found.id);
      failpoint('after_cancel');
      if (canceled.status === 'declined' || canceled.status === 'created') return false;
      return applyOutcome(db, gateway, payment, canceled);
    }
    case 'created':
      return false;
  }
}

/**
 * Acts on the error of a gateway call about a payment. If the gateway refused to create the object, the payment ends, unless the debt was
 * captured before. A conflict means that the gateway has an object of the debt that the books lack.
 * @returns whether the payment has ended
 * @throws GatewayError; ApiError charges_held instead of a failure
 */
export async function applyFailure(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  { kind }: GatewayError,
): Promise<boolean> {
  if (kind === 'conflict') return adoptIfCaptured(db, gateway, payment);
  if (kind !== 'rejected') return false;
  if (await adoptIfCaptured(db, gateway, payment)) return true;
  return settleUnsent(db, payment, 'rejected');
}
