import { readInvoice } from '../../billing/invoices/invoices.service.ts';
import type { Invoice } from '../../billing/invoices/record/invoices.schema.ts';
import type { Gateway, GatewayPayment } from '../../gateways/gateway/gateway.ts';
import type { ConfiguredGateway } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import { askGatewayOrOperator, contradicted, endReview, type Outcome, refuseOtherOutcome } from '../outcomes/review.ts';
import { adopt } from '../record/adopt.ts';
import { askForDebt, readDebt } from '../record/debt.ts';
import { askOthers, type FoundCaptures, isCapture } from '../record/lost-captures.ts';
import { PAYMENT_QUEUE, recordDecline, selectPayment } from '../record/payment.queries.ts';
import type { Payment } from '../record/payment.ts';
import { type CapturedMoney, isWhatWasIntended, writeCanceled, writeCaptured, writeUnsent } from '../record/settle.ts';
import { selectPaymentToResolve } from './resolve.operator.queries.ts';

/** The outcome to write. `unsent`: the gateway never had an object that could have been captured. */
type Verdict =
  | { kind: 'captured'; money: CapturedMoney }
  | { kind: 'canceled'; declineCode: string | null }
  | { kind: 'unsent' }
  /** Other objects of the debt were captured, and count instead. */
  | { kind: 'superseded'; found: readonly FoundCaptures[] };

/**
 * Ends a payment under review: with what the gateway says about it now, and where the gateway cannot say, with what the operator states.
 * @returns the invoice as JSON text
 * @throws ApiError not_found, not_under_review, outcome_contradicted, payment_under_review while nothing is known, charges_held instead of
 * a failure, service_unavailable
 */
export async function resolvePayment(
  { db, gateways }: PaymentDependencies,
  paymentId: string,
  { outcome = null }: { outcome?: Outcome | null },
): Promise<Json<typeof Invoice>> {
  const payment = await selectPaymentToResolve(db, paymentId);
  if (payment === null) throw notFound('payment');
  const { companyId, id, invoiceId } = payment;
  if (payment.state === 'needs_review') {
    const gateway = gateways.of(payment.gateway);
    const verdict = await askGatewayOrOperator(
      db,
      { ...payment, name: 'payment', paymentId },
      () => ask(db, gateway, payment, outcome),
      () => decideWithoutGateway(payment, outcome),
    );
    await settle(db, payment, verdict);
  }
  refuseOtherOutcome('payment', (await selectPayment(db, companyId, id)).state, outcome);
  return readInvoice(db, companyId, invoiceId);
}

async function settle(db: Db, payment: Payment, verdict: Verdict): Promise<void> {
  const { companyId, id } = payment;
  await endReview(db, PAYMENT_QUEUE, payment, async (tx) => {
    switch (verdict.kind) {
      case 'captured':
        await writeCaptured(tx, payment, verdict.money);
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

/** Asks for the payment's own object and, unless that is captured, for the debt too. @throws GatewayError */
async function ask(db: Db, gateway: ConfiguredGateway, payment: Payment, outcome: Outcome | null): Promise<Verdict> {
  const verdict = await askForObject(gateway, payment, outcome);
  if (verdict.kind === 'captured') return verdict;
  const elsewhere = await askOthers(db, gateway, payment);
  const { captures } = await askForDebt(gateway, payment, await readDebt(db, payment), { searches: true });
  const found = [{ gateway, captures }, ...elsewhere].filter(isCapture);
  return found.length === 0 ? verdict : { kind: 'superseded', found };
}

/** Decides without the gateway, which is no longer configured. */
function decideWithoutGateway(payment: Payment, outcome: Outcome | null): Verdict {
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
      if (isWhatWasIntended(payment, found)) {
        if (outcome === 'failed') throw contradicted('The gateway has captured this payment.');
        return { kind: 'captured', money: found };
      }
      if (outcome !== 'succeeded' && (await wasFullyRefunded(gateway, found))) {
        return { kind: 'canceled', declineCode: null };
      }
      throw undecided('The gateway captured another amount. Refund all of it there, then resolve the payment again.');
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

/** Believes the operator where the gateway cannot say. */
function acceptStated({ amountMinor, currency }: Payment, outcome: Outcome | null, because: string): Verdict {
  if (outcome === 'failed') return { kind: 'canceled', declineCode: null };
  if (outcome === 'succeeded') {
    return { kind: 'captured', money: { capturedAmountMinor: amountMinor, capturedCurrency: currency } };
  }
  throw undecided(`${because}: decide the outcome and send it.`);
}

/** Whether the gateway has refunded all of it, at any time. */
async function wasFullyRefunded(
  gateway: Gateway,
  { id, capturedAmountMinor, capturedCurrency }: GatewayPayment,
): Promise<boolean> {
  const refunds = await gateway.listRefundsOf(id);
  const ofIt = refunds.filter(({ currency }) => currency === capturedCurrency);
  return capturedAmountMinor === ofIt.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

function undecided(message: string): ApiError {
  return new ApiError('payment_under_review', message);
}
