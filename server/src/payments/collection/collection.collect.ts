import { alertCardTesting } from '../../methods/card-testing/card-testing.service.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { RefusalLimits } from '../../platform/config/config.ts';
import { transaction } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { chargeInvoice, type PaymentDependencies } from '../charge/charge.ts';
import { isWaiting, tryToCancelWaiting } from '../charge/waiting.ts';
import type { NextStep } from '../mails/payment-failed.ts';
import { mailNextStep } from '../mails/payment-mails.ts';
import { selectPayment } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import { isReplaced, isThrottled, isWorthAnAttempt, planNextStep } from './collection.plan.ts';
import {
  type CollectionPlan,
  type DueCollection,
  lockCollection,
  selectFacts,
  updateCollection,
} from './collection.queries.ts';

/** `limits`: how many charges may be declined in an hour before the next one waits. */
export type CollectionDependencies = PaymentDependencies & { clock: Clock; limits: RefusalLimits };

/** What an attempt learned from a gateway. `no_answer`: nothing was sent, or no answer came. */
export type GatewayResponse = 'answered' | 'no_answer' | 'not_asked';

/**
 * Makes the attempt that is due, unless it was made before, and records what comes next.
 * @returns what it learned from the gateway that it was claimed for
 */
export async function collect(dependencies: CollectionDependencies, due: DueCollection): Promise<GatewayResponse> {
  const { db, limits } = dependencies;
  const before = await selectFacts(db, due.companyId, due);
  const isWorthwhile = (before.payment === null || isReplaced(before)) && isWorthAnAttempt(before);
  const mustTry = isWorthwhile && !isThrottled(before, limits);
  if (isWorthwhile && !mustTry) {
    const newest = { companyId: due.companyId, payment: before.recentDeclines.payment };
    await alertCardTesting(db, newest, 'Several new default cards were declined one after the other.');
  }
  if (mustTry && before.payment !== null) return replaceWaiting(dependencies, due, before.payment.id);
  failpoint('before_collection_attempt');
  const { companyId, invoiceId, attempt: collectionAttempt } = due;
  const charge = mustTry ? await chargeInvoice(dependencies, companyId, invoiceId, { collectionAttempt }) : null;
  failpoint('before_collection_record');
  if (charge?.kind !== 'payment') {
    await recordOutcome(dependencies, due, { isUnanswered: charge?.kind === 'unanswered' });
    return 'not_asked';
  }
  await recordOutcome(dependencies, { ...due, foundPaymentId: charge.payment.id });
  return gatewayResponseOf(due.gateway, charge.payment);
}

/**
 * Cancels the payment that waits for its customer, since another card or account is charged now. If it was canceled and not captured, the
 * next attempt, which is due at once, charges that.
 */
async function replaceWaiting(
  dependencies: CollectionDependencies,
  due: DueCollection,
  foundPaymentId: string,
): Promise<GatewayResponse> {
  const { db, gateways } = dependencies;
  const payment = await selectPayment(db, due.companyId, foundPaymentId);
  const failure = isWaiting(payment) ? await tryToCancelWaiting(db, gateways, payment) : null;
  await recordOutcome(dependencies, { ...due, foundPaymentId }, { isUnanswered: failure !== null });
  if (payment.gateway !== due.gateway) return 'not_asked';
  return failure === null ? 'answered' : 'no_answer';
}

/** The payment may be at another gateway, if the card was changed just now or another caller began the payment before. */
function gatewayResponseOf(name: string, { gateway, state, failureReason }: Payment): GatewayResponse {
  if (gateway !== name || state === 'created' || state === 'sending') return 'not_asked';
  return state === 'unknown' || failureReason === 'not_sent' ? 'no_answer' : 'answered';
}

/** Reads everything again under the lock, because a card or account may have changed, or a payment ended, in the meantime. */
async function recordOutcome(
  { db, clock, limits }: CollectionDependencies,
  due: DueCollection,
  { isUnanswered = false }: { isUnanswered?: boolean } = {},
): Promise<void> {
  const { companyId } = due;
  await transaction(db, async (tx) => {
    // The statements are sent together, and PostgreSQL runs them in order, so what is read after the lock holds under it.
    const [recorded, facts] = await Promise.all([lockCollection(tx, companyId, due), selectFacts(tx, companyId, due)]);
    if (recorded === null) return; // Another worker recorded it.
    const plan = planNextStep(recorded, { ...facts, isUnanswered }, clock(), limits);
    await updateCollection(tx, companyId, due, plan);
    if (facts.payment?.state === 'failed') {
      const next = describeStep(plan);
      await mailNextStep(tx, companyId, { invoiceId: due.invoiceId, paymentId: facts.payment.id, next });
    }
  });
  failpoint('after_collection_record');
}

/** What a plan means for the company. */
function describeStep({ state, nextAttemptAt }: CollectionPlan): NextStep {
  if (nextAttemptAt !== null) return { kind: 'attempt', at: nextAttemptAt.toISOString() };
  if (state === 'awaiting_payment_method') return { kind: 'payment_method' };
  return { kind: state === 'exhausted' ? 'none' : 'manual' };
}
