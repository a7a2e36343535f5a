import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { type Db, transaction } from '../database/database.ts';
import { ApiError, notFound } from '../errors.ts';
import { type Gateway, GatewayError, type GatewayNotice, type SignedNotice } from '../gateways/gateway.ts';
import type { PaymentDependencies } from './payments.charge.ts';
import {
  endNotice,
  hastenRefund,
  insertAlertOnce,
  insertNotice,
  lockNotice,
  type NoticedPayment,
  type NoticeOutcome,
  selectNoticedPayment,
} from './payments.notices.queries.ts';
import type { NewAlert } from './payments.queries.ts';
import { applyOutcome } from './payments.settle.ts';

/**
 * Takes in what a gateway tells by itself. It is a hint and no more: what became of a payment is asked of the gateway, and settled as
 * if the reconciler had looked. So it does not matter in which order notices come, how late, or how often.
 * @throws ApiError not_found for a gateway that has no webhook here, invalid_request for a wrong signature, service_unavailable when
 * the gateway could not be asked, so that it tells again
 */
export async function receiveNotice(
  { db, gateways }: PaymentDependencies,
  gatewayName: string,
  signed: SignedNotice,
  log: FastifyBaseLogger,
): Promise<void> {
  const gateway = gateways.configured.find(({ name }) => name === gatewayName);
  if (gateway?.readNotice === undefined) throw notFound('webhook');
  const notice = await gateway.readNotice(signed);
  if (notice === null) throw new ApiError('invalid_request', 'The signature is missing, wrong or too old.');
  if (!(await insertNotice(db, gateway.name, notice))) return;

  const outcome = await act(db, gateway, notice);
  await endNotice(db, gateway.name, notice.id, outcome);
  const { id: noticeId, type, gatewayPaymentId } = notice;
  if (outcome === 'unknown_payment')
    log.warn({ noticeId, type, gatewayPaymentId }, 'a notice is about no payment of ours');
}

async function act(db: Db, gateway: Gateway, notice: GatewayNotice): Promise<NoticeOutcome> {
  const { kind, gatewayPaymentId } = notice;
  if (kind === 'other') return 'ignored';
  if (gatewayPaymentId === null) return 'unknown_payment';
  const payment = await selectNoticedPayment(db, gateway.name, gatewayPaymentId, notice.refundReference);
  if (payment === null) return 'unknown_payment';
  if (kind === 'payment') return settle(db, gateway, payment, gatewayPaymentId);
  if (kind === 'refund' && payment.hasOwnRefund) {
    // It has an answer of its own to wait for, and a reconciler for when that is lost.
    return (await hastenRefund(db, payment.companyId, notice.refundReference)) ? 'settled' : 'no_change';
  }
  return alert(db, gateway.name, notice, payment);
}

/** A payment that failed here is asked about too: should it be captured after all, a person is told. */
async function settle(
  db: Db,
  gateway: Gateway,
  payment: NoticedPayment,
  gatewayPaymentId: string,
): Promise<NoticeOutcome> {
  if (payment.state === 'captured' || payment.state === 'needs_review') return 'no_change';
  try {
    const found = await gateway.findPayment(gatewayPaymentId);
    if (found === null) return 'no_change';
    return (await applyOutcome(db, gateway, payment, found)) ? 'settled' : 'no_change';
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new ApiError('service_unavailable', 'The gateway could not be asked about its own notice.', {
      retryAfterSeconds: 30,
      cause: error,
    });
  }
}

/** What only a person can act on, once for each payment and kind. */
async function alert(
  db: Db,
  gatewayName: string,
  notice: GatewayNotice,
  { companyId, id: paymentId }: NoticedPayment,
): Promise<NoticeOutcome> {
  const { kind, message } = describeAlert(notice);
  return transaction(db, async (tx) => {
    if (!(await lockNotice(tx, gatewayName, notice.id))) return 'no_change';
    const isNew = await insertAlertOnce(tx, companyId, { id: uuidv7(), kind, paymentId, message });
    const outcome = isNew ? 'alerted' : 'no_change';
    await endNotice(tx, gatewayName, notice.id, outcome);
    return outcome;
  });
}

function describeAlert({ kind, type }: GatewayNotice): Pick<NewAlert, 'kind' | 'message'> {
  switch (kind) {
    case 'dispute':
      return {
        kind: 'disputed_at_gateway',
        message: `The cardholder disputes this payment (${type}): answer at the gateway.`,
      };
    case 'refund_failed':
      return {
        kind: 'refund_failed_at_gateway',
        message: `Money that was to go back did not (${type}): look at the gateway.`,
      };
    default:
      return { kind: 'refunded_at_gateway', message: `Money was given back at the gateway, and not by us (${type}).` };
  }
}
