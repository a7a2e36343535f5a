import type { FastifyBaseLogger } from 'fastify';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { GatewayEvent, SignedGatewayEvent } from '../../gateways/gateway/gateway.webhooks.ts';
import type { ConfiguredGateway } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { ApiError, hasCode, notFound } from '../../platform/errors.ts';
import { failpoint } from '../../platform/failpoints.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import { applyAnswer } from '../charge/gateway-answer.ts';
import { isWaiting } from '../charge/waiting.ts';
import { findObject } from '../debt/debt.ts';
import { type DisputeSnapshot, takeDisputeSnapshots } from '../disputes/disputes.service.ts';
import type { Payment } from '../payment/payment.ts';
import { expediteRefundCheck } from './gateway-events.queries.ts';
import {
  endGatewayEvent,
  expediteLook,
  type FoundPayment,
  type GatewayEventOutcome,
  insertGatewayEvent,
  selectAffectedPayment,
} from './gateway-events.worker.queries.ts';
import {
  alertGatewayEvent,
  importRefundsAndDisputes,
  type PaymentImportResult,
  settleDisputeOrAlert,
} from './import.ts';

/**
 * Receives a gateway event. It is only a hint: the gateway is asked for the payment's outcome, its refunds and the state of its dispute,
 * and the answer is settled as if the reconciler had asked. So the order, the delay and the repetition of gateway events do not matter.
 * While charges are held, events are kept, and acted on after the hold.
 * @throws ApiError not_found for a gateway that has no webhook here, invalid_request for a wrong signature, service_unavailable when the
 * gateway could not be asked or there is no outcome yet, so that the gateway sends it again
 */
export async function receiveGatewayEvent(
  {
    db,
    gateways,
    chargesHold,
  }: PaymentDependencies & { chargesHold: { isHeld: () => boolean; doubt: () => Promise<void> } },
  gatewayName: string,
  signed: SignedGatewayEvent,
  log: FastifyBaseLogger,
): Promise<void> {
  const gateway = gateways.configured.find(({ name }) => name === gatewayName);
  if (gateway?.readGatewayEvent === undefined) throw notFound('webhook');
  const gatewayEvent = await gateway.readGatewayEvent(signed).catch(retryLaterOnGatewayError);
  if (gatewayEvent === null) throw new ApiError('invalid_request', 'The signature is missing, wrong or too old.');
  const isHeld = chargesHold.isHeld();
  if ((await insertGatewayEvent(db, gateway.name, gatewayEvent, isHeld)) !== 'new') return;
  failpoint('after_gateway_event');
  const outcome = await act(db, gateway, gatewayEvent).catch(retryLaterOnGatewayError);
  if (outcome === 'unknown_payment') {
    // The database may have lost the payment. If it has, the event is kept, and acted on after the hold.
    await chargesHold.doubt();
    if (chargesHold.isHeld()) {
      await insertGatewayEvent(db, gateway.name, gatewayEvent, true);
      return;
    }
  }
  await end(db, gateway, gatewayEvent, { outcome, log });
}

/**
 * Acts on a gateway event, and records that it is processed. @throws GatewayError when the gateway could not be asked; ApiError
 * service_unavailable while there is no outcome
 */
export async function processGatewayEvent(
  db: Db,
  gateway: ConfiguredGateway,
  gatewayEvent: GatewayEvent,
  log: FastifyBaseLogger,
): Promise<void> {
  await end(db, gateway, gatewayEvent, { outcome: await act(db, gateway, gatewayEvent), log });
}

async function end(
  db: Db,
  gateway: Pick<ConfiguredGateway, 'name'>,
  { id: gatewayEventId, type, gatewayPaymentId }: GatewayEvent,
  { outcome, log }: { outcome: GatewayEventOutcome; log: FastifyBaseLogger },
): Promise<void> {
  failpoint('after_gateway_event_effect');
  await endGatewayEvent(db, gateway.name, gatewayEventId, outcome);
  if (outcome === 'unknown_payment')
    log.warn({ gatewayEventId, type, gatewayPaymentId }, 'a gateway event is about an unknown payment');
}

const HOUR_MS = 3_600_000;

function retryLaterOnGatewayError(error: unknown): never {
  if (hasCode(error, 'charges_held')) throw retryLater('Charges are on hold, so no payment becomes failed.', error);
  throw error instanceof GatewayError ? retryLater('The gateway could not be asked about its event.', error) : error;
}

function retryLater(message: string, cause?: unknown): ApiError {
  return new ApiError('service_unavailable', message, { retryAfterSeconds: 30, cause });
}

async function act(db: Db, gateway: ConfiguredGateway, gatewayEvent: GatewayEvent): Promise<GatewayEventOutcome> {
  switch (gatewayEvent.kind) {
    case 'other':
      return 'ignored';
    case 'dispute':
      return actOnDispute(db, gateway, gatewayEvent);
    case 'payout':
      return (await expediteLook(db, gateway.name)) ? 'settled' : 'no_change';
    default:
  }
  const payment = await findAffectedPayment(db, gateway, gatewayEvent.gatewayPaymentId, gatewayEvent.refundReference);
  if (payment === null) return 'unknown_payment';
  switch (gatewayEvent.kind) {
    case 'payment':
      return settle(db, gateway, payment);
    case 'refund':
      return actOnRefund(db, gateway, gatewayEvent, payment);
    default:
      return (await alertGatewayEvent(db, gatewayEvent, payment)) ? 'alerted' : 'no_change';
  }
}

type AffectedPayment = FoundPayment & { gatewayPaymentId: string };

async function findAffectedPayment(
  db: Db,
  gateway: ConfiguredGateway,
  gatewayPaymentId: string | null,
  refundReference: string | null = null,
): Promise<AffectedPayment | null> {
  if (gatewayPaymentId === null) return null;
  const payment = await selectAffectedPayment(db, gateway.name, gatewayPaymentId, refundReference);
  return payment === null ? null : { ...payment, gatewayPaymentId };
}

/** Asks about a payment that failed here too: if it was captured after all, an alert is raised. */
async function settle(db: Db, gateway: ConfiguredGateway, payment: AffectedPayment): Promise<GatewayEventOutcome> {
  if (payment.state === 'captured' || payment.state === 'needs_review') return 'no_change';
  const found = await findObject(gateway, payment.id, payment.gatewayPaymentId);
  if (found === null) return 'no_change';
  const outcome = await applyAnswer(db, gateway, payment, found);
  if (outcome.kind === 'waiting' && isWaiting(payment)) return 'no_change';
  return outcome.kind === 'unknown' ? 'no_change' : 'settled';
}

/** Settles the payment first, since a gateway event about captured money may arrive before the books know of the capture. */
async function settleFirst(db: Db, gateway: ConfiguredGateway, payment: AffectedPayment): Promise<void> {
  if (payment.state !== 'captured' && payment.state !== 'failed') await settle(db, gateway, payment);
}

async function isCaptured(db: Db, gateway: ConfiguredGateway, payment: AffectedPayment): Promise<boolean> {
  await settleFirst(db, gateway, payment);
  return (await findAffectedPayment(db, gateway, payment.gatewayPaymentId))?.state === 'captured';
}

async function actOnRefund(
  db: Db,
  gateway: ConfiguredGateway,
  gatewayEvent: GatewayEvent,
  payment: AffectedPayment,
): Promise<GatewayEventOutcome> {
  if (payment.hasOwnRefund) {
    // The refund's request waits for an answer of its own, and the reconciler checks it when that is lost.
    return (await expediteRefundCheck(db, payment.companyId, gatewayEvent.refundReference)) ? 'settled' : 'no_change';
  }
  const { imported, isAlerted } = await importRefundsOf(db, gateway, gatewayEvent.type, payment);
  if (imported === 'undecided')
    throw retryLater('A refund made in Paydesk has no outcome yet, and the payment may not cover both refunds.');
  if (imported === 'recorded') return 'settled';
  return isAlerted ? 'alerted' : 'no_change';
}

/** Records the refunds that a payment has at its gateway. Raises an alert for one that does not fit the payment. */
async function importRefundsOf(db: Db, gateway: ConfiguredGateway, type: string, payment: AffectedPayment) {
  await settleFirst(db, gateway, payment);
  const imported = await importRefundsAndDisputes(db, gateway, payment);
  const isAlerted = imported === 'impossible' && (await alertGatewayEvent(db, { kind: 'refund', type }, payment));
  return { imported, isAlerted };
}

/**
 * Reads the refunds of a payment from its gateway, as a gateway event about one of them would cause.
 * @returns the result of `importRefundsAndDisputes`; null when no payment of ours has this id there
 * @throws GatewayError
 */
export async function resyncRefundsOf(
  db: Db,
  gateway: ConfiguredGateway,
  { type, gatewayPaymentId }: Pick<GatewayEvent, 'type' | 'gatewayPaymentId'>,
): Promise<{ payment: Payment; imported: PaymentImportResult } | null> {
  const payment = await findAffectedPayment(db, gateway, gatewayPaymentId);
  if (payment === null) return null;
  const { imported } = await importRefundsOf(db, gateway, type, payment);
  return { payment, imported };
}

/** Records the disputes that a payment has at a gateway that lists whole ones. @throws GatewayError */
export async function importDisputesOf(
  db: Db,
  gateway: ConfiguredGateway,
  { gatewayPaymentId }: Pick<Payment, 'gatewayPaymentId'>,
): Promise<void> {
  const now = Date.now();
  const range = { from: new Date(now - HOUR_MS), to: new Date(now + HOUR_MS), cursor: null };
  const { entries } = (await gateway.listDisputes?.(range)) ?? { entries: [] };
  for (const dispute of entries) {
    if (!('gatewayPaymentId' in dispute) || dispute.gatewayPaymentId !== gatewayPaymentId) continue;
    await resyncDisputedPayments(db, gateway, { type: 'dispute', gatewayPaymentId, disputeId: dispute.id });
  }
}

async function actOnDispute(
  db: Db,
  gateway: ConfiguredGateway,
  gatewayEvent: GatewayEvent,
): Promise<GatewayEventOutcome> {
  return (await resyncDisputedPayments(db, gateway, gatewayEvent)).outcome;
}

/**
 * Asks the gateway which payments a dispute is about and what state it is in. An alert comes first, whatever else happens.
 * @returns the snapshots, with those of the payments that are ours
 * @throws GatewayError
 */
export async function resyncDisputedPayments(
  db: Db,
  gateway: ConfiguredGateway,
  hint: Pick<GatewayEvent, 'type' | 'gatewayPaymentId' | 'disputeId'>,
): Promise<{ outcome: GatewayEventOutcome; payments: Payment[] }> {
  const gatewayEvent = { ...hint, kind: 'dispute' } as const;
  const namedPayment = await findAffectedPayment(db, gateway, gatewayEvent.gatewayPaymentId);
  let isAlerted = namedPayment !== null && (await alertGatewayEvent(db, gatewayEvent, namedPayment));
  const { disputeId = null } = gatewayEvent;
  const snapshots = disputeId === null ? [] : await takeDisputeSnapshots(db, gateway, disputeId);
  const disputed: [AffectedPayment, DisputeSnapshot][] = [];
  for (const snapshot of snapshots) {
    const payment = await findAffectedPayment(db, gateway, snapshot.found.gatewayPaymentId);
    if (payment === null) continue;
    disputed.push([payment, snapshot]);
    if (await alertGatewayEvent(db, gatewayEvent, payment)) isAlerted = true;
  }
  const payments = disputed.map(([payment]) => payment);
  if (namedPayment === null && payments.length === 0) return { outcome: 'unknown_payment', payments };
  const isOurs = disputed.length === snapshots.length;
  let isSettled = false;
  for (const [payment, snapshot] of disputed) {
    if ((await isCaptured(db, gateway, payment)) && (await settleDisputeOrAlert(db, payment, snapshot, { isOurs })))
      isSettled = true;
  }
  return { outcome: isSettled ? 'settled' : isAlerted ? 'alerted' : 'no_change', payments };
}
