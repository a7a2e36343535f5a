import type { RefusalLimits } from '../../platform/config/config.ts';
import { isHardDecline } from '../payment/hard-declines.ts';
import type { CollectionPlan, CollectionRecord, Facts } from './collection.queries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** While a gateway is away: the first pause, doubled each time, up to the longest one. */
const INITIAL_DELAY_MS = 60_000;
const MAX_DELAY_MS = 15 * 60_000;

/**
 * Whether an attempt makes sense: not with a card or account that will never pay. Without either there may be credit. An invoice with
 * nothing due is paid without a charge, so it needs neither the setting nor a card.
 */
export function isWorthAnAttempt({ status, isVoided, isNothingDue, isAutomatic, lastDeclineCode }: Facts): boolean {
  if (status === 'Succeeded' || isVoided) return false;
  return isNothingDue || (isAutomatic && !isHardDecline(lastDeclineCode));
}

/** Whether a payment waits for its customer, and another card or account is charged in its place. A card that is not saved stays. */
export function isReplaced({ payment, sourceId }: Facts): boolean {
  if (payment?.state !== 'requires_action' || sourceId === null || payment.sourceId === null) return false;
  return sourceId !== payment.sourceId;
}

/**
 * Whether so many charges were declined in the last hour that the next one waits for an hour. The schedule alone never causes that, but
 * every new default card is charged at once, and somebody may be testing stolen cards.
 */
export function isThrottled({ isNothingDue, recentDeclines }: Facts, limits: RefusalLimits): boolean {
  return !isNothingDue && (recentDeclines.ofInvoice >= limits.ofInvoice || recentDeclines.sources >= limits.ofCompany);
}

/**
 * Decides what follows from an attempt, or from none. A decline uses up a step of the schedule. A gateway that is away does not. An
 * attempt without an outcome is waited for.
 */
export function planNextStep(
  recorded: CollectionRecord,
  facts: Facts & { isUnanswered: boolean },
  now: Date,
  limits: RefusalLimits,
): CollectionPlan {
  const { attempts, declines, outages, sourceId } = recorded;
  const same = { attempts, declines, outages, sourceId, nextAttemptAt: null, paymentId: null };
  const { payment } = facts;
  if (facts.status === 'Succeeded' || facts.isVoided) return { ...same, state: 'closed' };
  const pauseMs = Math.min(INITIAL_DELAY_MS * 2 ** Math.min(outages, 10), MAX_DELAY_MS);
  const afterOutage = { outages: outages + 1, nextAttemptAt: new Date(now.getTime() + pauseMs) };
  const isOpen = payment === null || payment.state === 'requires_action';
  if (isOpen && facts.isUnanswered) return { ...same, ...afterOutage, state: 'scheduled' };
  if (payment === null) {
    const earliest = isThrottled(facts, limits) ? new Date(now.getTime() + HOUR_MS) : recorded.dueAt;
    return { ...same, ...withoutPayment(earliest, facts) };
  }
  // It has paid a part, since the invoice is not paid: the rest is tried next.
  if (payment.state === 'captured')
    return { ...same, attempts: attempts + 1, ...withoutPayment(recorded.dueAt, facts) };
  if (payment.state === 'requires_action') return { ...same, state: 'awaiting_confirmation', paymentId: payment.id };
  if (payment.state !== 'failed') return { ...same, state: 'awaiting_outcome', paymentId: payment.id };
  const tried = { ...same, attempts: attempts + 1 };
  if (payment.failureReason === 'not_sent') return { ...tried, ...afterOutage, state: 'scheduled' };
  // Nobody has refused it: it was canceled for something else.
  if (payment.failureReason === 'canceled' && payment.hasWaited)
    return { ...tried, ...withoutPayment(recorded.dueAt, facts) };
  return { ...tried, ...afterRefusal(recorded, facts, payment, now) };
}

type Step = Partial<CollectionPlan> & Pick<CollectionPlan, 'state' | 'nextAttemptAt'>;

/** A card, an account or a setting that arrived in the meantime is tried as early as possible. */
function withoutPayment(earliest: Date, { isAutomatic, sourceId, lastDeclineCode }: Facts): Step {
  if (!isAutomatic) return { state: 'manual', nextAttemptAt: null };
  const canCharge = sourceId !== null && !isHardDecline(lastDeclineCode);
  return canCharge
    ? { state: 'scheduled', nextAttemptAt: earliest }
    : { state: 'awaiting_payment_method', nextAttemptAt: null };
}

/**
 * Each card or account gets the whole schedule: each step counts its days from the decline before it, which can be one from before the
 * invoice is due.
 */
function afterRefusal(
  recorded: CollectionRecord,
  { sourceId: chargeable, dunningDays, isAutomatic }: Facts,
  payment: Pick<NonNullable<Facts['payment']>, 'sourceId' | 'declineCode' | 'isSourceChanged'>,
  now: Date,
): Step {
  const { sourceId } = payment;
  const declines = sourceId === recorded.sourceId ? recorded.declines + 1 : 1;
  const refused = { sourceId, declines, outages: 0 };
  if (!isAutomatic) return { ...refused, state: 'manual', nextAttemptAt: null };
  if (chargeable !== null && chargeable !== sourceId) {
    return { ...refused, state: 'scheduled', nextAttemptAt: recorded.dueAt };
  }
  if (isHardDecline(payment.declineCode)) {
    return { ...refused, state: 'awaiting_payment_method', nextAttemptAt: null };
  }
  if (payment.isSourceChanged && chargeable === sourceId) {
    return { ...refused, declines: 0, state: 'scheduled', nextAttemptAt: recorded.dueAt };
  }
  const days = dunningDays[declines - 1];
  if (days === undefined) return { ...refused, state: 'exhausted', nextAttemptAt: null };
  const earliestMs = Math.max(recorded.dueAt.getTime(), now.getTime() + days * DAY_MS);
  return { ...refused, state: 'scheduled', nextAttemptAt: new Date(earliestMs) };
}
