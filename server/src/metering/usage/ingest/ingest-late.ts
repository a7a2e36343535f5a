import { isBillingMonth, monthAfter, monthAt, periodOf } from '../../../platform/calendar/billing-periods.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { UsageEvent } from './events.ts';
import { type LateRefusal, selectLateRefusals, selectPeriodsSince } from './ingest.operator.queries.ts';

const DAY_MS = 86_400_000;
/** Where months begin first, and where last. */
const [FIRST_TIMEZONE, LAST_TIMEZONE] = ['Etc/GMT-14', 'Etc/GMT+12'];
/** No usage is older, and no billing month. */
const FIRST_MONTH = '2000-01';

/** Says of an event why it comes too late; null of one that is in time. */
export type JudgeLate = (event: UsageEvent) => string | null;

/** A billing period of a company, billed or not. */
type Period = { month: string; startMs: number; endMs: number };
type Policy = LateRefusal & {
  /** Those that were billed, oldest first: from the oldest event on, and the last one in any case. */
  billed: Period[];
};

/**
 * Reads which of the events' companies refuse late usage, and from when on: an event is too late when the billing period that it
 * happened in ended more than so many days before now. What was billed says where that was; the period after it begins there, whatever
 * the time zone has become since. Nobody is asked about events of a month that is still running everywhere, as most are: null when
 * all are such.
 */
export async function judgeLateUsage(tx: Tx, events: readonly UsageEvent[], now: Date): Promise<JudgeLate | null> {
  const runningSinceMs = periodOf(monthAt(now, FIRST_TIMEZONE), LAST_TIMEZONE).startAt.getTime();
  const ofThePast = events.filter(({ happenedAtMs }) => happenedAtMs < runningSinceMs);
  if (ofThePast.length === 0) return null;
  const refusals = await selectLateRefusals(tx, [...new Set(ofThePast.map(({ companyId }) => companyId))]);
  const oldest = new Date(ofThePast.reduce((least, { happenedAtMs }) => Math.min(least, happenedAtMs), runningSinceMs));
  const judges = new Map(
    (await withPeriods(tx, refusals, oldest)).map((policy) => [policy.companyId, judgeBy(policy, now)]),
  );
  return ({ companyId, happenedAtMs }) =>
    happenedAtMs < runningSinceMs ? (judges.get(companyId)?.(happenedAtMs) ?? null) : null;
}

async function withPeriods(tx: Tx, refusals: readonly LateRefusal[], since: Date): Promise<Policy[]> {
  if (refusals.length === 0) return [];
  const rows = await selectPeriodsSince(
    tx,
    refusals.map(({ companyId }) => companyId),
    since,
  );
  const byCompany = Map.groupBy(rows, ({ companyId }) => companyId);
  return refusals.map((refusal) => {
    const billed = (byCompany.get(refusal.companyId) ?? []).map(({ period, startAt, endAt }) => {
      return { month: period, startMs: startAt.getTime(), endMs: endAt.getTime() };
    });
    return { ...refusal, billed };
  });
}

/** Events of one company mostly happened in one period, so the last one is looked at first. */
function judgeBy(policy: Policy, now: Date): (happenedAtMs: number) => string | null {
  let period: Period | undefined;
  return (happenedAtMs) => {
    if (period === undefined || happenedAtMs < period.startMs || happenedAtMs >= period.endMs) {
      period = periodAt(happenedAtMs, policy);
    }
    const takenUntil = new Date(period.endMs + policy.days * DAY_MS);
    if (now <= takenUntil) return null;
    return `time must not be in a month that is closed: usage of ${period.month} was taken until ${takenUntil.toISOString()}`;
  };
}

/** The period in which an instant lies: one that was billed, the one that follows on the last of them, or a month of the time zone. */
function periodAt(instantMs: number, { timezone, billed }: Policy): Period {
  const known = billed.find(({ startMs, endMs }) => startMs <= instantMs && instantMs < endMs);
  if (known !== undefined) return known;
  const local = monthAt(new Date(instantMs), timezone);
  const month = isBillingMonth(local) ? local : FIRST_MONTH;
  const last = billed.at(-1);
  if (last === undefined || instantMs < last.endMs) return monthOf(month, timezone);
  const next = monthAfter(last.month);
  if (month > next) return monthOf(month, timezone);
  return { ...monthOf(next, timezone), startMs: last.endMs };
}

function monthOf(month: string, timezone: string): Period {
  const { startAt, endAt } = periodOf(month, timezone);
  return { month, startMs: startAt.getTime(), endMs: endAt.getTime() };
}
