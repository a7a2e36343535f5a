import { recordAudit } from '../../../audit/audit.service.ts';
import { type Gateway, GatewayError, type GatewayRefund } from '../../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import { type Db, type Queryable, type Tx, transaction } from '../../../platform/database/database.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { type Actor, SYSTEM } from '../../../platform/http/route/actor.ts';
import { formatAmount } from '../../../platform/money/money.ts';
import { bookUnallocated } from './book.ts';
import {
  endCases,
  lockCases,
  markRefunded,
  selectCaseState,
  selectInstallation,
  selectLastEarlierRefund,
  selectPaymentState,
  selectUnallocated,
  type UnallocatedCapture,
} from './unallocated.operator.queries.ts';
import type { RecoveryRefund, RecoveryRefundBody } from './unallocated.schema.ts';

const REASON = 'The company or the invoice of this payment is not in the database.';

/**
 * Refunds a capture that a recovery has left to a person, and that no invoice here gets: first it is booked to the account `unallocated`,
 * and the refund, with its intent, reverses that. It can be repeated: the capture is refunded once. Of one that the gateway has refunded in
 * full, only the books get both.
 * @throws ApiError not_found, not_under_review, payment_not_captured, refund_refused, service_unavailable
 */
export async function refundUnallocated(
  { db, gateways }: { db: Db; gateways: Gateways },
  { gateway: name, gatewayPaymentId, actor = SYSTEM }: RecoveryRefundBody & { actor?: Actor },
): Promise<RecoveryRefund> {
  const gateway = gateways.of(name);
  try {
    const capture = await openRefund(db, gateway, { gatewayPaymentId, actor });
    const { gatewayRefundId, amountMinor } = await refund(db, gateway, capture);
    const amount = formatAmount(amountMinor, capture.currency);
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
async function openRefund(
  db: Db,
  gateway: Gateway,
  { gatewayPaymentId, actor }: { gatewayPaymentId: string; actor: Actor },
): Promise<UnallocatedCapture> {
  const earlier = await transaction(db, (tx) => lock(tx, gateway.name, gatewayPaymentId));
  if (earlier !== null) return earlier;
  const found = await gateway.findPayment(gatewayPaymentId);
  if (found?.status !== 'captured')
    throw new ApiError('payment_not_captured', 'The gateway has not captured this payment.');
  const { capturedAmountMinor, capturedCurrency } = found;
  const capture = { id: gatewayPaymentId, capturedAmountMinor, capturedCurrency };
  const refunds = await gateway.listRefundsOf(gatewayPaymentId);
  return transaction(db, async (tx) => {
    const begun = await lock(tx, gateway.name, gatewayPaymentId);
    if (begun !== null) return begun;
    await bookUnallocated(tx, gateway.name, { ...capture, refunds });
    const opened = await selectUnallocated(tx, gateway.name, gatewayPaymentId);
    if (opened === null) throw new RangeError('A capture that is booked to nobody is there.');
    const { amountMinor, currency } = opened;
    const after = { gateway: gateway.name, gatewayPaymentId, amount: formatAmount(amountMinor, currency), currency };
    const entry = { actor, action: 'recovery_refund.created', target: null };
    await recordAudit(tx, null, { audience: 'operator', ...entry, changes: { before: {}, after } });
    return opened;
  });
}

/**
 * Waits for others who decide about the capture.
 * @returns its refund if one was begun; null when it waits for a person
 * @throws ApiError not_found, not_under_review
 */
async function lock(tx: Tx, gateway: string, gatewayPaymentId: string): Promise<UnallocatedCapture | null> {
  await lockCases(tx, gateway, gatewayPaymentId);
  const begun = await selectUnallocated(tx, gateway, gatewayPaymentId);
  if (begun === null) await refuseAllocated(tx, gateway, gatewayPaymentId);
  return begun;
}

/**
 * Only what a recovery has left to a person is refunded or accepted here. What the books have is refunded or resolved as every payment is.
 * @throws ApiError not_found, not_under_review
 */
export async function refuseAllocated(db: Queryable, gateway: string, gatewayPaymentId: string): Promise<void> {
  const state = await selectCaseState(db, gateway, gatewayPaymentId);
  if (state === null) throw notFound('payment');
  const inBooks = await selectPaymentState(db, gateway, gatewayPaymentId);
  if (inBooks !== null && inBooks !== 'failed') {
    throw new ApiError('not_under_review', 'The books have this payment: resolve or refund it by its id.');
  }
  if (state !== 'person') throw new ApiError('not_under_review', 'This payment does not wait for a person.');
}

type Refunded = { gatewayRefundId: string; amountMinor: bigint };

/** Refunds what is left of the capture, unless that was done before. @throws GatewayError */
async function refund(db: Db, gateway: Gateway, capture: UnallocatedCapture): Promise<Refunded> {
  const { amountMinor, gatewayRefundId, refundId } = capture;
  if (gatewayRefundId !== null) return { gatewayRefundId, amountMinor };
  if (refundId !== null) {
    const made = await send(db, gateway, { ...capture, refundId });
    await transaction(db, async (tx) => {
      // In the order in which adopting locks them.
      await lockCases(tx, gateway.name, capture.gatewayPaymentId);
      await markRefunded(tx, capture.id, made.id);
      await end(tx, capture, made.id);
    });
    return { gatewayRefundId: made.id, amountMinor };
  }
  const last = await selectLastEarlierRefund(db, capture.id);
  if (last === null) throw new RangeError('A capture of which nothing is left was refunded.');
  await transaction(db, (tx) => end(tx, capture, last.gatewayRefundId));
  return last;
}

/** Asks the gateway for the refund, unless it has made it: its answer may have been lost. @throws GatewayError */
async function send(
  db: Db,
  gateway: Gateway,
  { gatewayPaymentId, amountMinor, refundId }: UnallocatedCapture & { refundId: string },
): Promise<GatewayRefund> {
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

async function end(tx: Tx, { gateway, gatewayPaymentId }: UnallocatedCapture, gatewayRefundId: string): Promise<void> {
  await endCases(tx, gateway, gatewayPaymentId, `Refunded with ${gatewayRefundId}.`);
}
