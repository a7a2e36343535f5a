import { recordAudit } from '../../audit/audit.service.ts';
import { lockInvoiceToCharge, readInvoice } from '../../billing/invoices/invoices.service.ts';
import type { Invoice } from '../../billing/invoices/record/invoices.schema.ts';
import { recordMark } from '../../continuity/journal/journal.service.ts';
import type { Gateway, GatewayPayment, GatewayPaymentRefund } from '../../gateways/gateway/gateway.ts';
import type { ConfiguredGateway } from '../../gateways/gateways.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import { observed } from '../../platform/steps.ts';
import { adopt } from '../adopt/adopt.ts';
import { askOthers, type FoundCaptures, isCapture } from '../adopt/lost-captures.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import { askForDebt, readDebt } from '../debt/debt.ts';
import { askGatewayOrOperator, contradicted, endReview, type Outcome, refuseOtherOutcome } from '../outcomes/review.ts';
import { alertOnce } from '../payment/alert-once.service.ts';
import { PAYMENT_QUEUE, recordDecline, selectPayment } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import { importRefund } from '../refunds/issue/refunds.service.ts';
import {
  type CapturedMoney,
  matchesIntent,
  writeAccepted,
  writeCanceled,
  writeCaptured,
  writeUnsent,
} from '../settlement/settle-payment.ts';
import { selectPaymentToResolve } from './resolve-payment.operator.queries.ts';
import { selectReturns } from './resolve-payment.queries.ts';
import type { ResolvePaymentBody } from './resolve-payment.schema.ts';
import { readLeft, returnCapture } from './return-capture.ts';

/** The outcome to write. `unsent`: the gateway never had an object that could have been captured. */
type Verdict =
  /** `refunds`: what the gateway has refunded of it, which could not be recorded during the review. */
  | { kind: 'captured'; money: CapturedMoney; refunds: readonly GatewayPaymentRefund[] }
  /** Another amount was captured, in minor units of the payment's currency, and a person accepts it. */
  | { kind: 'accepted'; takenMinor: bigint }
  | { kind: 'canceled'; declineCode: string | null }
  | { kind: 'unsent' }
  /** Other objects of the debt were captured, and count instead. */
  | { kind: 'superseded'; found: readonly FoundCaptures[] };

/**
 * Ends a payment under review: with what the gateway says about it now, and where the gateway cannot say, with what the operator states.
 * @returns the invoice as JSON text
 * @throws ApiError not_found, not_under_review, outcome_contradicted, payment_under_review while nothing is known, charges_held instead of
 * a failure, service_unavailable; invoice_voided and credit_currency_differs for a capture that can only be refunded; refund_refused and
 * refund_under_review
 */
export async function resolvePayment(
  { db, gateways }: PaymentDependencies,
  paymentId: string,
  { outcome: wanted = null }: { outcome?: ResolvePaymentBody['outcome'] | null },
  actor: Actor,
): Promise<Json<typeof Invoice>> {
  const payment = await selectPaymentToResolve(db, paymentId);
  if (payment === null) throw notFound('payment');
  const { companyId, id, invoiceId } = payment;
  // A refunded payment has failed.
  const outcome = wanted === 'refunded' ? 'failed' : wanted;
  if (payment.state === 'needs_review') {
    const gateway = gateways.of(payment.gateway);
    await observed({ step: 'resolve', payment: id }, async () => {
      const verdict = await askGatewayOrOperator(
        db,
        { ...payment, name: 'payment', paymentId },
        () => (wanted === 'refunded' ? refund(db, gateway, payment) : ask(db, gateway, payment, outcome)),
        () => decideWithoutGateway(payment, wanted),
      );
      await settle(db, payment, verdict, actor);
    });
  }
  refuseOtherOutcome('payment', (await selectPayment(db, companyId, id)).state, outcome);
  return readInvoice(db, companyId, invoiceId);
}

async function settle(db: Db, payment: Payment, verdict: Verdict, actor: Actor): Promise<void> {
  const { companyId, id } = payment;
  await endReview(db, PAYMENT_QUEUE, payment, async (tx) => {
    const isTaken = verdict.kind === 'captured' || verdict.kind === 'accepted';
    const after = { status: isTaken ? 'Succeeded' : 'Failed' };
    const changes = { before: { status: 'NeedsReview' }, after };
    const target = { kind: 'payment', id, name: '' };
    await recordAudit(tx, companyId, { audience: 'company', actor, action: 'payment.resolved', target, changes });
    // The database has the payment's mark since its charge: one of its own shows that the decision is lost.
    await recordMark(tx, companyId, { kind: 'payment_decision', subject: id });
    switch (verdict.kind) {
      case 'captured':
        await requireAcceptable(tx, payment);
        await writeCaptured(tx, payment, verdict.money);
        for (const refund of verdict.refunds) await recordRefund(tx, payment, refund);
        return;
      case 'accepted':
        await requireAcceptable(tx, payment);
        await writeAccepted(tx, payment, verdict.takenMinor);
        return;
      case 'unsent':
        await writeUnsent(tx, payment, 'not_sent');
        return;
      case 'canceled':
        if (verdict.declineCode !== null) await recordDecline(tx, companyId, id, verdict.declineCode);
        await writeCanceled(tx, payment, payment.gatewayPaymentId ?? '');
        return;
      case 'superseded':
        for (const { gateway, captures } of verdict.found)
          for (const capture of captures) await adopt(tx, gateway.name, payment, capture);
    }
  });
}

async function recordRefund(tx: Tx, payment: Payment, refund: GatewayPaymentRefund): Promise<void> {
  const { companyId, id, invoiceId, gateway, gatewayPaymentId } = payment;
  const at = { companyId, id, invoiceId, gatewayPaymentId: gatewayPaymentId ?? '' };
  const result = await importRefund(tx, gateway, at, refund);
  if (result === 'recorded' || result === 'known') return;
  const message = `The refund ${refund.id} at the gateway does not match this payment, so it was not recorded.`;
  await alertOnce(tx, companyId, { kind: 'refunded_at_gateway', payment, message });
}

/** Nothing is due of a void invoice, and what is refunded does not pay. */
async function requireAcceptable(tx: Tx, { companyId, id, invoiceId }: Payment): Promise<void> {
  const { isVoided } = await lockInvoiceToCharge(tx, companyId, invoiceId);
  if (isVoided) throw new ApiError('invoice_voided', 'The invoice is void: refund what was captured.');
  const { openId, hasSucceeded } = await selectReturns(tx, companyId, id);
  if (openId !== null || hasSucceeded) throw contradicted('The capture was or is being refunded.');
}

/** Refunds the capture. Before the payment fails, the gateway is asked for other captures of the debt. @throws GatewayError */
async function refund(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<Verdict> {
  await returnCapture(db, gateway, payment);
  return askForOthers(db, gateway, payment, { kind: 'canceled', declineCode: null });
}

/** Asks for the payment's own object and, unless that is captured, for the debt too. @throws GatewayError */
async function ask(db: Db, gateway: ConfiguredGateway, payment: Payment, outcome: Outcome | null): Promise<Verdict> {
  const verdict = await askForObject(gateway, payment, outcome);
  if (verdict.kind === 'captured' || verdict.kind === 'accepted') return verdict;
  return askForOthers(db, gateway, payment, verdict);
}

async function askForOthers(db: Db, gateway: ConfiguredGateway, payment: Payment, verdict: Verdict): Promise<Verdict> {
  const elsewhere = await askOthers(db, gateway, payment);
  const { captures } = await askForDebt(gateway, payment, await readDebt(db, payment), { searches: true });
  const found = [{ gateway, captures }, ...elsewhere].filter(isCapture);
  return found.length === 0 ? verdict : { kind: 'superseded', found };
}

/** Decides without the gateway, which is no longer configured. */
function decideWithoutGateway(payment: Payment, outcome: Outcome | 'refunded' | null): Verdict {
  if (outcome === 'refunded') throw undecided('The gateway is not configured here: refund it there and send failed.');
  if (payment.gatewayPaymentId === null) return neverSent(outcome);
  return acceptStated(payment, outcome, 'The gateway is not configured here');
}

/** Only an object whose id is recorded is ever confirmed. */
function neverSent(outcome: Outcome | null): Verdict {
  if (outcome === 'succeeded') throw contradicted('The gateway was never asked for this payment.');
  return { kind: 'unsent' };
}

async function askForObject(gateway: Gateway, payment: Payment, outcome: Outcome | null): Promise<Verdict> {
  if (payment.gatewayPaymentId === null) return neverSent(outcome);
  const found = await gateway.findPayment(payment.gatewayPaymentId);
  if (found !== null) return decideByStatus(gateway, payment, found, outcome);
  if (outcome === 'succeeded') throw contradicted('The gateway does not know this payment.');
  return acceptStated(payment, outcome, 'The gateway does not know this payment');
}

/** Follows the gateway. An object that was never captured is canceled there first, so that nothing can capture it later. */
async function decideByStatus(
  gateway: Gateway,
  payment: Payment,
  found: GatewayPayment,
  outcome: Outcome | null,
): Promise<Verdict> {
  switch (found.status) {
    case 'captured':
      if (matchesIntent(payment, found)) {
        if (outcome === 'failed') throw contradicted('The gateway has captured this payment.');
        return { kind: 'captured', money: found, refunds: await gateway.listRefundsOf(found.id) };
      }
      return decideOtherAmount(gateway, payment, found, outcome);
    case 'canceled':
      if (outcome === 'succeeded') throw contradicted('The gateway has canceled this payment.');
      return { kind: 'canceled', declineCode: null };
    default: {
      if (outcome === 'succeeded') throw contradicted('The gateway has not captured this payment.');
      const canceled = await gateway.cancelPayment(found.id);
      if (canceled.status === 'canceled') return { kind: 'canceled', declineCode: found.declineCode };
      if (canceled.status === 'captured') return decideByStatus(gateway, payment, canceled, outcome);
      throw undecided('The gateway has not canceled this payment yet.');
    }
  }
}

/** A person decides about a capture of another amount, as long as nothing of it is refunded at the gateway. */
async function decideOtherAmount(
  gateway: Gateway,
  payment: Payment,
  found: GatewayPayment,
  outcome: Outcome | null,
): Promise<Verdict> {
  const takenMinor = found.capturedAmountMinor ?? 0n;
  const leftMinor = await readLeft(gateway, found);
  if (outcome !== 'succeeded') {
    if (leftMinor === 0n) return { kind: 'canceled', declineCode: null };
    throw undecided('The gateway captured another amount. Send the outcome succeeded to accept it, or refunded.');
  }
  if (leftMinor < takenMinor) throw undecided('The gateway has refunded some of what it captured: send refunded.');
  if (takenMinor > 0n && found.capturedCurrency === payment.currency) return { kind: 'accepted', takenMinor };
  throw undecided('The gateway captured another currency: send refunded.');
}

/** Believes the operator where the gateway cannot say. */
function acceptStated({ amountMinor, currency }: Payment, outcome: Outcome | null, because: string): Verdict {
  if (outcome === 'failed') return { kind: 'canceled', declineCode: null };
  if (outcome === 'succeeded') {
    return { kind: 'captured', money: { capturedAmountMinor: amountMinor, capturedCurrency: currency }, refunds: [] };
  }
  throw undecided(`${because}: decide the outcome and send it.`);
}

function undecided(message: string): ApiError {
  return new ApiError('payment_under_review', message);
}
