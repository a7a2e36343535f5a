import { GatewayError, type GatewayPayment } from '../../gateways/gateway/gateway.ts';
import type { ConfiguredGateway } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { adoptIfCaptured } from '../adopt/lost-captures.ts';
import { cancelObject } from '../debt/debt.ts';
import { recordDecline } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import {
  settleCanceled,
  settleCaptured,
  settleProcessing,
  settleUnsent,
  settleWaiting,
} from '../settlement/settle-payment.ts';
import { type ChargeOutcome, outcomeOf } from './outcome.ts';

/**
 * Acts on what the gateway says about a payment. A decline is final only once the gateway's object is canceled, because until then the
 * gateway could still capture it. The payment fails only if nothing else of its debt was captured.
 * @throws GatewayError when the gateway gave no answer; ApiError charges_held instead of a failure
 */
export async function applyAnswer(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  found: GatewayPayment,
): Promise<ChargeOutcome> {
  switch (found.status) {
    case 'captured': {
      const settled = await settleCaptured(db, payment, found);
      return outcomeOf(settled.payment, 'continued', settled.invoice);
    }
    case 'canceled': {
      // Another object of the same debt may have been captured.
      const adopted = await adoptIfCaptured(db, gateway, payment);
      return adopted ?? outcomeOf(await settleCanceled(db, payment, found.id), 'continued');
    }
    case 'declined': {
      await recordDecline(db, payment.companyId, payment.id, found.declineCode);
      failpoint('after_decline');
      const canceled = await cancelObject(gateway, payment, found.id);
      failpoint('after_cancel');
      if (canceled.status !== 'captured' && canceled.status !== 'canceled') return { kind: 'unknown' };
      return applyAnswer(db, gateway, payment, canceled);
    }
    case 'processing':
      return waitForBank(db, payment, found);
    case 'requires_action':
      return waitForCustomer(db, gateway, payment, found);
    case 'created':
      return { kind: 'unknown' };
  }
}

/** The money of a debit is on its way from now on, if it was not before. */
async function waitForBank(db: Db, payment: Payment, { id }: GatewayPayment): Promise<ChargeOutcome> {
  if (payment.state === 'processing') return { kind: 'waiting' };
  const { state } = await settleProcessing(db, payment, id);
  return { kind: state === 'processing' ? 'waiting' : 'continued' };
}

/** The payment waits from now on, if it did not before. The secret is read again where a list has told of the object. */
async function waitForCustomer(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  { id, action }: GatewayPayment,
): Promise<ChargeOutcome> {
  if (payment.state === 'requires_action') return { kind: 'waiting' };
  if (action === undefined) return { kind: 'unknown' };
  const { state } = await settleWaiting(db, gateway, payment, { gatewayPaymentId: id, action });
  return { kind: state === 'requires_action' ? 'waiting' : 'continued' };
}

/**
 * Acts on the error of a gateway call about a payment. If the gateway refused to create the object, the payment ends, unless the debt was
 * captured before. A conflict means that the gateway has an object of the debt that the books lack.
 * @throws ApiError charges_held instead of a failure
 */
export async function applyError(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  { kind }: GatewayError,
): Promise<ChargeOutcome> {
  if (kind !== 'conflict' && kind !== 'rejected') return { kind: 'unknown' };
  try {
    const adopted = await adoptIfCaptured(db, gateway, payment);
    if (adopted !== null || kind === 'conflict') return adopted ?? { kind: 'unknown' };
    return outcomeOf(await settleUnsent(db, payment, 'rejected'), 'unknown');
  } catch (error) {
    if (error instanceof GatewayError) return { kind: 'unknown' };
    throw error;
  }
}
