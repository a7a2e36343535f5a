import type { Gateway, GatewayError, GatewayPayment } from '../../gateways/gateway/gateway.ts';
import type { Db } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { adoptIfCaptured } from '../record/adopt.ts';
import { noteDecline } from '../record/payment.queries.ts';
import type { Payment } from '../record/payment.ts';
import { settleCanceled, settleCaptured, settleUnsent } from '../record/settle.ts';

/**
 * Acts on what the gateway says about a payment. A decline is final only once the gateway's object is canceled:
 * until then the gateway itself could still capture it. The payment has failed only if nothing else was captured of its debt.
 * @returns false when it is not decided yet. @throws GatewayError when canceling gave no answer
 */
export async function applyOutcome(
  db: Db,
  gateway: Gateway,
  payment: Payment,
  found: GatewayPayment,
): Promise<boolean> {
  switch (found.status) {
    case 'captured':
      await settleCaptured(db, payment, found);
      return true;
    case 'canceled':
      // What one object says is not all that there is of the debt.
      if (!(await adoptIfCaptured(db, gateway, payment))) await settleCanceled(db, payment, found.id);
      return true;
    case 'declined': {
      await noteDecline(db, payment.companyId, payment.id, found.declineCode);
      failpoint('after_decline');
      const canceled = await gateway.cancelPayment(found.id);
      failpoint('after_cancel');
      if (canceled.status === 'declined' || canceled.status === 'created') return false;
      return applyOutcome(db, gateway, payment, canceled);
    }
    case 'created':
      return false;
  }
}

/**
 * Acts on why a call about a payment brought no answer. An object that the gateway refused to make is an end, unless the debt was
 * captured before; after a conflict there is something of the debt that is not known here.
 * @returns whether the payment has ended by that @throws GatewayError
 */
export async function applyFailure(
  db: Db,
  gateway: Gateway,
  payment: Payment,
  { kind }: GatewayError,
): Promise<boolean> {
  if (kind === 'conflict') return adoptIfCaptured(db, gateway, payment);
  if (kind !== 'rejected') return false;
  if (await adoptIfCaptured(db, gateway, payment)) return true;
  return settleUnsent(db, payment, 'rejected');
}
