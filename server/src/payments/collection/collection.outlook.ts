import type { RefusalLimits } from '../../platform/config/config.ts';
import { isHardDecline } from './collection.declines.ts';
import type { Facts, Noted, Outlook } from './collection.queries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The gateway is away: the first pause, doubled each time, and the longest one. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/**
 * Whether there is anything to try: not with a card or an account that never pays. Without one there may be credit. Where nothing is
 * due, nobody is charged, so it takes no setting and no card.
 */
export function isWorthTrying({ status, isVoided, isNothingDue, isAutomatic, lastDeclineCode }: Facts): boolean {
  if (status === 'Succeeded' || isVoided) return false;
  return isNothingDue || (isAutomatic && !isHardDecline(lastDeclineCode));
}

/**
 * Whether so much was refused in the last hour that the next charge waits for an hour. The schedule never comes to that: each new default
 * card is tried at once, and somebody may be trying cards that are not theirs.
 */
export function isHeld({ isNothingDue, refusedLately }: Facts, limits: RefusalLimits): boolean {
  return !isNothingDue && (refusedLately.ofInvoice >= limits.ofInvoice || refusedLately.sources >= limits.ofCompany);
}

/**
 * What follows from an attempt, or from there having been none. A refusal uses up a step of the schedule; a gateway that is away
 * does not, and what nobody knows the outcome of is waited for.
 */
export function findOutlook(noted: Noted, facts: Facts, now: Date, limits: RefusalLimits): Outlook {
  const { attempts, declines, outages, sourceId } = noted;
  const same = { attempts, declines, outages, sourceId, nextAttemptAt: null, paymentId: null };
  const { payment } = facts;
  if (facts.status === 'Succeeded' || facts.isVoided) return { ...same, state: 'closed' };
  if (payment === null) {
    const earliest = isHeld(facts, limits) ? new Date(now.getTime() + HOUR_MS) : noted.dueAt;
    return { ...same, ...withoutPayment(earliest, facts) };
  }
  if (payment.state !== 'failed') return { ...same, state: 'awaiting_outcome', paymentId: payment.id };
  const tried = { ...same, attempts: attempts + 1 };
  if (payment.failureReason === 'not_sent') {
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(outages, 10), LONGEST_PAUSE_MS);
    return { ...tried, state: 'scheduled', outages: outages + 1, nextAttemptAt: new Date(now.getTime() + pauseMs) };
  }
  return { ...tried, ...afterRefusal(noted, facts, payment, now) };
}

type Step = Partial<Outlook> & Pick<Outlook, 'state' | 'nextAttemptAt'>;

/** A card, an account or a setting that came in the meantime is tried at the earliest time there is. */
function withoutPayment(earliest: Date, { isAutomatic, sourceId, lastDeclineCode }: Facts): Step {
  if (!isAutomatic) return { state: 'manual', nextAttemptAt: null };
  const canCharge = sourceId !== null && !isHardDecline(lastDeclineCode);
  return canCharge
    ? { state: 'scheduled', nextAttemptAt: earliest }
    : { state: 'awaiting_payment_method', nextAttemptAt: null };
}

/** Each card or account has the whole schedule: the days after its first refusal, then after the one before. */
function afterRefusal(
  noted: Noted,
  { sourceId: chargeable, dunningDays }: Facts,
  payment: { sourceId: string | null; declineCode: string | null },
  now: Date,
): Step {
  const { sourceId } = payment;
  const declines = sourceId === noted.sourceId ? noted.declines + 1 : 1;
  const refused = { sourceId, declines, outages: 0 };
  if (chargeable !== null && chargeable !== sourceId) {
    return { ...refused, state: 'scheduled', nextAttemptAt: noted.dueAt };
  }
  if (isHardDecline(payment.declineCode)) {
    return { ...refused, state: 'awaiting_payment_method', nextAttemptAt: null };
  }
  const days = dunningDays[declines - 1];
  if (days === undefined) return { ...refused, state: 'exhausted', nextAttemptAt: null };
  return { ...refused, state: 'scheduled', nextAttemptAt: new Date(now.getTime() + days * DAY_MS) };
}
