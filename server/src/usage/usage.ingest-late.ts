import { isBillingMonth, monthAt, periodOf } from '../billing-periods/billing-periods.service.ts';
import type { Tx } from '../database/database.ts';
import type { UsageEvent } from './usage.events.ts';
import { type LateRefusal, selectLateRefusals } from './usage.ingest.queries.ts';

const DAY_MS = 86_400_000;
/** Where months begin first, and where last. */
const [FIRST_TIMEZONE, LAST_TIMEZONE] = ['Etc/GMT-14', 'Etc/GMT+12'];
/** No usage is older, and no billing month. */
const FIRST_MONTH = '2000-01';
const FIRST_MONTH_IS_OVER_MS = Date.UTC(2000, 1, 3);

/** Says of an event why it comes too late; null of one that is in time. */
export type JudgeLate = (event: UsageEvent) => string | null;

/**
 * Reads which of the events' companies refuse late usage, and from when on: an event is too late when the month that it happened in,
 * of the company's time zone, ended more than so many days before now. Nobody is asked about events of a month that is still
 * running everywhere, as most are: null when all are such.
 */
export async function judgeLateUsage(tx: Tx, events: readonly UsageEvent[], now: Date): Promise<JudgeLate | null> {
  const runningSinceMs = periodOf(monthAt(now, FIRST_TIMEZONE), LAST_TIMEZONE).startAt.getTime();
  const ofThePast = events.filter(({ happenedAtMs }) => happenedAtMs < runningSinceMs);
  if (ofThePast.length === 0) return null;
  const refusals = await selectLateRefusals(tx, [...new Set(ofThePast.map(({ companyId }) => companyId))]);
  const policies = new Map(refusals.map((refusal) => [refusal.companyId, withStart(refusal, now)]));
  return ({ companyId, happenedAtMs }) => {
    const policy = policies.get(companyId);
    return policy === undefined || happenedAtMs >= policy.takenFromMs ? null : explain(happenedAtMs, policy);
  };
}

/** Adds the start of the oldest month that is still taken. */
function withStart(refusal: LateRefusal, now: Date): LateRefusal & { takenFromMs: number } {
  const { days, timezone } = refusal;
  // Just before it, because a month that ended exactly so many days ago is still taken.
  const reached = new Date(now.getTime() - days * DAY_MS - 1);
  const takenFromMs =
    reached.getTime() < FIRST_MONTH_IS_OVER_MS ? 0 : periodOf(monthAt(reached, timezone), timezone).startAt.getTime();
  return { ...refusal, takenFromMs };
}

function explain(happenedAtMs: number, { timezone, days }: LateRefusal): string {
  const local = monthAt(new Date(happenedAtMs), timezone);
  const month = isBillingMonth(local) ? local : FIRST_MONTH;
  const takenUntil = new Date(periodOf(month, timezone).endAt.getTime() + days * DAY_MS).toISOString();
  return `time must not be in a month that is closed: usage of ${month} was taken until ${takenUntil}`;
}
