import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import { GatewayError, type GatewayPayment } from '../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../gateways/gateways.outages.ts';
import type { ConfiguredGateway, Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { adoptIfCaptured, type Unanswered } from '../adopt/lost-captures.ts';
import { cancelObject, findObject, listObjects, readDebt } from '../debt/debt.ts';
import { recordDecline, selectPayment, updateActionRedirect } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import { settleMissing } from '../settlement/settle-payment.ts';
import { applyAnswer } from './gateway-answer.ts';
import { type ChargeOutcome, outcomeOf } from './outcome.ts';

/*
 * A payment that waits until the customer has confirmed it at the bank. The gateway alone knows whether that has happened, so whatever goes
 * on without the payment cancels its object there first. A capture counts, however late the confirmation came.
 */

/** Whether the payment waits for the customer. */
export function isWaiting({ state }: Pick<Payment, 'state'>): boolean {
  return state === 'requires_action';
}

/**
 * Looks whether the customer has confirmed a payment that waits, and ends it once its time has passed.
 * @throws GatewayError; ApiError charges_held instead of a failure
 */
export async function lookAtWaiting(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<ChargeOutcome> {
  const { companyId, id, gatewayPaymentId } = payment;
  failpoint('before_look');
  const found = await findObject(gateway, id, gatewayPaymentId ?? '');
  failpoint('after_look');
  if (found === null) return payment.isExpired ? endMissing(db, gateway, payment) : { kind: 'unknown' };
  if (!isAsked(found)) return applyAnswer(db, gateway, payment, found);
  if (!payment.isExpired) return { kind: 'waiting' };
  await assertNotHeld(db);
  await recordDecline(db, companyId, id, 'authentication_expired');
  return cancel(db, gateway, payment);
}

/**
 * Ends a payment whose time has passed and whose object the gateway does not know any more, once it has been asked for all objects of the
 * debt: there is nothing to cancel. @throws GatewayError; ApiError charges_held
 */
async function endMissing(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<ChargeOutcome> {
  await assertNotHeld(db);
  const adopted = await adoptIfCaptured(db, gateway, payment);
  if (adopted !== null) return adopted;
  const { request } = await readDebt(db, payment);
  const { objects } = await listObjects(gateway, payment, request);
  if (objects.some(({ id }) => id === payment.gatewayPaymentId)) return { kind: 'unknown' };
  await recordDecline(db, payment.companyId, payment.id, 'authentication_expired');
  return outcomeOf(await settleMissing(db, payment), 'continued');
}

/**
 * Asks the customer, who is there now, about a payment that was begun without them: the gateway makes a page of the bank for it, or takes
 * the money at once.
 * @throws GatewayError; ApiError charges_held
 */
export async function askCustomer(db: Db, gateways: Gateways, payment: Payment): Promise<void> {
  const { companyId, id, action, gatewayPaymentId } = payment;
  const gateway = gateways.of(payment.gateway);
  if (gateway.askCustomer === undefined || action === null || action.redirectUrl !== null) return;
  await assertNotHeld(db);
  const found = await gateway.askCustomer({ gatewayPaymentId: gatewayPaymentId ?? '', returnUrl: action.url });
  if (!isAsked(found)) await applyAnswer(db, gateway, payment, found);
  else if (found.action?.redirectUrl) await updateActionRedirect(db, companyId, id, found.action.redirectUrl);
}

/**
 * Cancels a payment that waits, before another card is charged. If it was captured meanwhile, it is in the books afterwards.
 * @returns null, or why the gateway gave no answer
 * @throws ApiError charges_held
 */
export async function tryToCancelWaiting(db: Db, gateways: Gateways, payment: Payment): Promise<Unanswered | null> {
  await assertNotHeld(db);
  try {
    const { kind } = await cancel(db, gateways.of(payment.gateway), payment);
    if (kind !== 'unknown' && kind !== 'waiting') return null;
    return unanswered(new GatewayError('outcome_unknown', 'The gateway has not canceled the payment that waits.'));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await alertOutage(db, payment, error.kind);
    return unanswered(error);
  }
}

/**
 * Cancels a payment that waits, before its card is deleted or what is due changes.
 * @throws ApiError service_unavailable when the gateway gives no answer; charges_held
 */
export async function cancelWaiting(db: Db, gateways: Gateways, payment: Payment): Promise<void> {
  const failure = await tryToCancelWaiting(db, gateways, payment);
  if (failure === null) return;
  const message =
    'The gateway does not answer whether a payment that waits for its confirmation is canceled; nothing was changed.';
  throw new ApiError('service_unavailable', message, { retryAfterSeconds: 5, cause: failure.cause });
}

/**
 * Looks at a payment that waits, for a request that finds it.
 * @returns the payment as it is afterwards; unchanged when the gateway gives no answer
 */
export async function lookForRequest(db: Db, gateways: Gateways, payment: Payment): Promise<Payment> {
  const { companyId, id, gateway } = payment;
  try {
    await lookAtWaiting(db, gateways.of(gateway), payment);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await alertOutage(db, payment, error.kind);
  }
  return selectPayment(db, companyId, id);
}

async function cancel(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<ChargeOutcome> {
  failpoint('before_waiting_cancel');
  const canceled = await cancelObject(gateway, payment, payment.gatewayPaymentId ?? '');
  failpoint('after_waiting_cancel');
  if (canceled.status !== 'captured' && canceled.status !== 'canceled') return { kind: 'unknown' };
  return applyAnswer(db, gateway, payment, canceled);
}

/** Some gateways tell of a charge that nobody has confirmed as of one that was only created. */
function isAsked({ status }: GatewayPayment): boolean {
  return status === 'requires_action' || status === 'created';
}

function unanswered(cause: GatewayError): Unanswered {
  return { kind: 'unanswered', cause };
}
