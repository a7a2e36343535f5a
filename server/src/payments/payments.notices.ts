import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../database/database.ts';
import { type DisputeSight, lookAtDispute } from '../disputes/disputes.service.ts';
import { ApiError, notFound } from '../errors.ts';
import { failpoint } from '../failpoints.ts';
import { type Gateway, GatewayError, type GatewayNotice, type SignedNotice } from '../gateways/gateway.ts';
import type { PaymentDependencies } from './payments.charge.ts';
import {
  endNotice,
  hastenRefund,
  insertNotice,
  type NoticedPayment,
  type NoticeOutcome,
  selectNoticedPayment,
} from './payments.notices.queries.ts';
import { applyOutcome } from './payments.outcome.ts';
import type { Payment } from './payments.payment.ts';
import { alertOnce, type PaymentReflection, reflectRefundsOf, settleSeen } from './payments.reflect.ts';

/**
 * Takes in what a gateway tells by itself. It is a hint and no more: what became of a payment, which refunds it has and how a dispute
 * stands is asked of the gateway, and settled as if the reconciler had looked. So it does not matter in which order notices come, how
 * late, or how often.
 * @throws ApiError not_found for a gateway that has no webhook here, invalid_request for a wrong signature, service_unavailable when
 * the gateway could not be asked, or when it is not decided yet, so that it tells again
 */
export async function receiveNotice(
  { db, gateways }: PaymentDependencies,
  gatewayName: string,
  signed: SignedNotice,
  log: FastifyBaseLogger,
): Promise<void> {
  const gateway = gateways.configured.find(({ name }) => name === gatewayName);
  if (gateway?.readNotice === undefined) throw notFound('webhook');
  const notice = await gateway.readNotice(signed).catch(tellAgainIfSilent);
  if (notice === null) throw new ApiError('invalid_request', 'The signature is missing, wrong or too old.');
  if (!(await insertNotice(db, gateway.name, notice))) return;
  failpoint('after_notice');

  const outcome = await act(db, gateway, notice).catch(tellAgainIfSilent);
  failpoint('after_notice_effect');
  await endNotice(db, gateway.name, notice.id, outcome);
  const { id: noticeId, type, gatewayPaymentId } = notice;
  if (outcome === 'unknown_payment')
    log.warn({ noticeId, type, gatewayPaymentId }, 'a notice is about no payment of ours');
}

function tellAgainIfSilent(error: unknown): never {
  throw error instanceof GatewayError
    ? tellAgain('The gateway could not be asked about its own notice.', error)
    : error;
}

function tellAgain(message: string, cause?: unknown): ApiError {
  return new ApiError('service_unavailable', message, { retryAfterSeconds: 30, cause });
}

async function act(db: Db, gateway: Gateway, notice: GatewayNotice): Promise<NoticeOutcome> {
  switch (notice.kind) {
    case 'other':
      return 'ignored';
    case 'dispute':
      return actOnDispute(db, gateway, notice);
    default:
  }
  const payment = await findNoticed(db, gateway, notice.gatewayPaymentId, notice.refundReference);
  if (payment === null) return 'unknown_payment';
  switch (notice.kind) {
    case 'payment':
      return settle(db, gateway, payment);
    case 'refund':
      return actOnRefund(db, gateway, notice, payment);
    default:
      return (await alertOnce(db, notice, payment)) ? 'alerted' : 'no_change';
  }
}

type Noticed = NoticedPayment & { gatewayPaymentId: string };

async function findNoticed(
  db: Db,
  gateway: Gateway,
  gatewayPaymentId: string | null,
  refundReference: string | null = null,
): Promise<Noticed | null> {
  if (gatewayPaymentId === null) return null;
  const payment = await selectNoticedPayment(db, gateway.name, gatewayPaymentId, refundReference);
  return payment === null ? null : { ...payment, gatewayPaymentId };
}

/** A payment that failed here is asked about too: should it be captured after all, a person is told. */
async function settle(db: Db, gateway: Gateway, payment: Noticed): Promise<NoticeOutcome> {
  if (payment.state === 'captured' || payment.state === 'needs_review') return 'no_change';
  const found = await gateway.findPayment(payment.gatewayPaymentId);
  if (found === null) return 'no_change';
  return (await applyOutcome(db, gateway, payment, found)) ? 'settled' : 'no_change';
}

/** What happens to captured money may be told before we know that it was captured. */
async function settleFirst(db: Db, gateway: Gateway, payment: Noticed): Promise<void> {
  if (payment.state !== 'captured' && payment.state !== 'failed') await settle(db, gateway, payment);
}

async function isCaptured(db: Db, gateway: Gateway, payment: Noticed): Promise<boolean> {
  await settleFirst(db, gateway, payment);
  return (await findNoticed(db, gateway, payment.gatewayPaymentId))?.state === 'captured';
}

async function actOnRefund(db: Db, gateway: Gateway, notice: GatewayNotice, payment: Noticed): Promise<NoticeOutcome> {
  if (payment.hasOwnRefund) {
    // It has an answer of its own to wait for, and a reconciler for when that is lost.
    return (await hastenRefund(db, payment.companyId, notice.refundReference)) ? 'settled' : 'no_change';
  }
  const { reflection, isAlerted } = await reflectNoticed(db, gateway, notice.type, payment);
  if (reflection === 'undecided') throw tellAgain('A refund of ours has no outcome yet; both are of one payment.');
  if (reflection === 'recorded') return 'settled';
  return isAlerted ? 'alerted' : 'no_change';
}

/** Writes down the refunds that a payment has at its gateway. Of what does not fit the payment a person is told. */
async function reflectNoticed(db: Db, gateway: Gateway, type: string, payment: Noticed) {
  await settleFirst(db, gateway, payment);
  const reflection = await reflectRefundsOf(db, gateway, payment);
  const isAlerted = reflection === 'impossible' && (await alertOnce(db, { kind: 'refund', type }, payment));
  return { reflection, isAlerted };
}

/**
 * Reads the refunds of a payment from its gateway, as a notice about one of them would have them read.
 * @returns what came of it, as `reflectRefundsOf`; null when no payment of ours has this id there. @throws GatewayError
 */
export async function lookAtRefundsOf(
  db: Db,
  gateway: Gateway,
  { type, gatewayPaymentId }: Pick<GatewayNotice, 'type' | 'gatewayPaymentId'>,
): Promise<{ payment: Payment; reflection: PaymentReflection } | null> {
  const payment = await findNoticed(db, gateway, gatewayPaymentId);
  if (payment === null) return null;
  const { reflection } = await reflectNoticed(db, gateway, type, payment);
  return { payment, reflection };
}

async function actOnDispute(db: Db, gateway: Gateway, notice: GatewayNotice): Promise<NoticeOutcome> {
  return (await lookAtDisputedPayments(db, gateway, notice)).outcome;
}

/**
 * Which payments a dispute is about, and how it stands, the gateway says when it is asked. Whatever comes of that, a person is told first.
 * @returns also those of the payments that are ours. @throws GatewayError
 */
export async function lookAtDisputedPayments(
  db: Db,
  gateway: Gateway,
  hint: Pick<GatewayNotice, 'type' | 'gatewayPaymentId' | 'disputeId'>,
): Promise<{ outcome: NoticeOutcome; payments: Payment[] }> {
  const notice = { ...hint, kind: 'dispute' } as const;
  const told = await findNoticed(db, gateway, notice.gatewayPaymentId);
  let isAlerted = told !== null && (await alertOnce(db, notice, told));
  const { disputeId = null } = notice;
  const sights = disputeId === null ? [] : await lookAtDispute(db, gateway, disputeId);
  const disputed: [Noticed, DisputeSight][] = [];
  for (const sight of sights) {
    const payment = await findNoticed(db, gateway, sight.found.gatewayPaymentId);
    if (payment === null) continue;
    disputed.push([payment, sight]);
    if (await alertOnce(db, notice, payment)) isAlerted = true;
  }
  const payments = disputed.map(([payment]) => payment);
  if (told === null && payments.length === 0) return { outcome: 'unknown_payment', payments };
  const isOurs = disputed.length === sights.length;
  let isSettled = false;
  for (const [payment, sight] of disputed) {
    if ((await isCaptured(db, gateway, payment)) && (await settleSeen(db, payment, sight, { isOurs })))
      isSettled = true;
  }
  return { outcome: isSettled ? 'settled' : isAlerted ? 'alerted' : 'no_change', payments };
}
