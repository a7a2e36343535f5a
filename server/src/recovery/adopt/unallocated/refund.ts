import { v7 as uuidv7 } from 'uuid';
import {
  type Gateway,
  GatewayError,
  type GatewayPayment,
  type GatewayRefund,
} from '../../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import { type Db, type Queryable, transaction } from '../../../platform/database/database.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { recordMark } from '../../../platform/journal/journal.service.ts';
import { formatAmount } from '../../../platform/money/money.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import {
  endCases,
  insertUnallocated,
  lockCases,
  markRefunded,
  selectCaseState,
  selectInstallation,
  selectPaymentState,
  selectUnallocated,
  type UnallocatedCapture,
} from './unallocated.operator.queries.ts';
import type { RecoveryRefund, RecoveryRefundBody } from './unallocated.schema.ts';

const REASON = 'The company or the invoice of this payment is not in the database.';

/**
 * Refunds a capture that a recovery has left to a person, and that no invoice here gets: first it is booked to the account `unallocated`,
 * and the refund, with its intent, reverses that. It can be repeated: the capture is refunded once.
 * @throws ApiError not_found, not_under_review, payment_not_captured, refund_refused, service_unavailable
 */
export async function refundUnallocated(
  { db, gateways }: { db: Db; gateways: Gateways },
  { gateway: name, gatewayPaymentId }: RecoveryRefundBody,
): Promise<RecoveryRefund> {
  const gateway = gateways.of(name);
  try {
    const capture = await openRefund(db, gateway, gatewayPaymentId);
    const gatewayRefundId = capture.gatewayRefundId ?? (await settle(db, capture, await send(db, gateway, capture)));
    const amount = formatAmount(capture.amountMinor, capture.currency);
    return { gateway: name, gatewayPaymentId, gatewayRefundId, amount, currency: capture.currency };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === 'rejected')
      throw new ApiError('refund_refused', 'The gateway refused the refund.', { cause: error });
    const message =
      'The gateway gave no answer about the refund. Send the request again: the payment is refunded once.';
    throw new ApiError('service_unavailable', message, { retryAfterSeconds: 5, cause: error });
  }
}

/** Books the capture with the intent to refund it, before the gateway receives anything. */
async function openRefund(db: Db, gateway: Gateway, gatewayPaymentId: string): Promise<UnallocatedCapture> {
  const earlier = await selectUnallocated(db, gateway.name, gatewayPaymentId);
  if (earlier !== null) return earlier;
  await refuseAllocated(db, gateway.name, gatewayPaymentId);
  const found = await gateway.findPayment(gatewayPaymentId);
  if (found?.status !== 'captured')
    throw new ApiError('payment_not_captured', 'The gateway has not captured this payment.');
  const capture = await readCapture(gateway, found);
  await transaction(db, async (tx) => {
    await lockCases(tx, gateway.name, gatewayPaymentId);
    await refuseAllocated(tx, gateway.name, gatewayPaymentId);
    await insertUnallocated(tx, capture);
    const { refundId } = capture;
    const document = JSON.stringify({
      gateway: gateway.name,
      gatewayPaymentId,
      amountMinor: String(capture.amountMinor),
    });
    await recordMark(tx, OPERATOR_SCOPE, { mark: refundId, kind: 'refund', subject: refundId, document });
  });
  // Another request may have been first.
  return (await selectUnallocated(db, gateway.name, gatewayPaymentId)) ?? { ...capture, gatewayRefundId: null };
}

/** Only what a recovery has left to a person is refunded here. What the books have is refunded or resolved as every payment is. */
async function refuseAllocated(db: Queryable, gateway: string, gatewayPaymentId: string): Promise<void> {
  const state = await selectCaseState(db, gateway, gatewayPaymentId);
  if (state === null) throw notFound('payment');
  const inBooks = await selectPaymentState(db, gateway, gatewayPaymentId);
  if (inBooks !== null && inBooks !== 'failed') {
    throw new ApiError('not_under_review', 'The books have this payment: resolve or refund it by its id.');
  }
  if (state !== 'person') throw new ApiError('not_under_review', 'This payment does not wait for a person.');
}

async function readCapture(gateway: Gateway, { id, capturedAmountMinor, capturedCurrency }: GatewayPayment) {
  const refunds = await gateway.listRefundsOf(id);
  const capturedMinor = capturedAmountMinor ?? 0n;
  const amountMinor = refunds.reduce((left, refund) => left - refund.amountMinor, capturedMinor);
  if (amountMinor <= 0n) throw new ApiError('payment_not_captured', 'The gateway has refunded all of this payment.');
  const ids = { id: uuidv7(), refundId: uuidv7() };
  return {
    ...ids,
    gateway: gateway.name,
    gatewayPaymentId: id,
    capturedMinor,
    amountMinor,
    currency: capturedCurrency ?? '',
  };
}

/** Asks the gateway for the refund, unless it has made it: its answer may have been lost. @throws GatewayError */
async function send(db: Db, gateway: Gateway, capture: UnallocatedCapture): Promise<GatewayRefund> {
  const { gatewayPaymentId, amountMinor, refundId } = capture;
  const made = await gateway.findRefund(gatewayPaymentId, refundId);
  if (made !== null) return made;
  return gateway.refundPayment({
    idempotencyKey: `${refundId}-refund`,
    gatewayPaymentId,
    amountMinor,
    reference: refundId,
    details: { installation: await selectInstallation(db), reason: REASON },
    isRecovery: true,
  });
}

async function settle(
  db: Db,
  { id, gateway, gatewayPaymentId }: UnallocatedCapture,
  refund: GatewayRefund,
): Promise<string> {
  await transaction(db, async (tx) => {
    await markRefunded(tx, id, refund.id);
    await endCases(tx, gateway, gatewayPaymentId, `Refunded with ${refund.id}.`);
  });
  return refund.id;
}
