import { isBillingMonth, monthAfter, monthAt, periodOf } from '../../../platform/calendar/billing-periods.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { UsageEvent } from './events.ts';
import { type LateRefusal, selectLateRefusals } from './ingest.operator.queries.ts';

const DAY_MS = 86_400_000;
/** The time zones where months begin first and last. */
const [FIRST_TIMEZONE, LAST_TIMEZONE] = ['Etc/GMT-14', 'Etc/GMT+12'];
/** There is no older usage and no older billing month. */
const FIRST_MONTH = '2000-01';

/** A billed period of a company. */
export type PeriodOfCompany = { companyId: string; period: string; startAt: Date; endAt: Date };

/**
 * Finds each company's billed periods that end after an instant, the oldest first, and always its last one. Billing, a later domain, hands
 * it in.
 */
export type FindPeriodsSince = (tx: Tx, companyIds: readonly string[], since: Date) => Promise<PeriodOfCompany[]>;

/** `now` is on the billing clock. */
export type LateContext = { now: Date; findPeriodsSince: FindPeriodsSince };

/** What the time of an event must be when it comes too late; null when it is in time. */
export type LatenessCheck = (event: UsageEvent) => string | null;

/** A billing period of a company, billed or not. */
type Period = { month: string; startMs: number; endMs: number };
type Policy = LateRefusal & {
  /** The billed periods, oldest first: from that of the oldest event on, and always the last one. */
  billed: Period[];
};

/**
 * Reads which companies of the events refuse late usage. An event is too late when the billing period of its time ended
 * more than the company's number of days before `now`. Billed periods are as they were billed, and the next one begins
 * where the last one ended, whatever the time zone is now. Null when all events are of a month that is still open in
 * every time zone, which needs no query.
 */
export async function createLatenessCheck(
  tx: Tx,
  events: readonly UsageEvent[],
  { now, findPeriodsSince }: LateContext,
): Promise<LatenessCheck | null> {
  const runningSinceMs = periodOf(monthAt(now, FIRST_TIMEZONE), LAST_TIMEZONE).startAt.getTime();
  const ofThePast = events.filter(({ happenedAtMs }) => happenedAtMs < runningSinceMs);
  if (ofThePast.length === 0) return null;
  const refusals = await selectLateRefusals(tx, [...new Set(ofThePast.map(({ companyId }) => companyId))]);
  const oldest = new Date(ofThePast.reduce((least, { happenedAtMs }) => Math.min(least, happenedAtMs), runningSinceMs));
  const checks = new Map(
    (await withPeriods(tx, refusals, oldest, findPeriodsSince)).map((policy) => [
      policy.companyId,
      createPolicyCheck(policy, now),
    ]),
  );
  return ({ companyId, happenedAtMs }) =>
    happenedAtMs < runningSinceMs ? (checks.get(companyId)?.(happenedAtMs) ?? null) : null;
}

async function withPeriods(
  tx: Tx,
  refusals: readonly LateRefusal[],
  since: Date,
  findPeriodsSince: FindPeriodsSince,
): Promise<Policy[]> {
  if (refusals.length === 0) return [];
  const rows = await findPeriodsSince(
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

/** Events of one company are mostly of one period, so the last one found is checked first. */
function createPolicyCheck(policy: Policy, now: Date): (happenedAtMs: number) => string | null {
  let period: Period | undefined;
  return (happenedAtMs) => {
    if (period === undefined || happenedAtMs < period.startMs || happenedAtMs >= period.endMs) {
      period = periodAt(happenedAtMs, policy);
    }
    const takenUntil = new Date(takenUntilMs(period, policy));
    if (now <= takenUntil) return null;
    return `must not be in a month that is closed: usage of ${period.month} was taken until ${takenUntil.toISOString()}`;
  };
}

function takenUntilMs(period: Period, { days }: LateRefusal): number {
  return period.endMs + days * DAY_MS;
}

/** Usage of [startMs, endMs) was taken until an instant. */
export type TakenUntil = { startMs: number; endMs: number; untilMs: number };

/**
 * Until when usage of each time was taken by a company that refuses late usage, from the oldest time on, as far as that was before the
 * last usage came. None for a company that refuses none.
 */
export async function findTakenUntil(
  tx: Tx,
  companyId: string,
  { oldest, lastCame }: { oldest: Date; lastCame: Date },
  findPeriodsSince: FindPeriodsSince,
): Promise<TakenUntil[]> {
  const [policy] = await withPeriods(tx, await selectLateRefusals(tx, [companyId]), oldest, findPeriodsSince);
  if (policy === undefined) return [];
  const taken: TakenUntil[] = [];
  for (let startMs = oldest.getTime(); startMs < lastCame.getTime(); ) {
    const period = periodAt(startMs, policy);
    const nextBilled = policy.billed.find((billed) => billed.startMs > startMs)?.startMs ?? Number.POSITIVE_INFINITY;
    const endMs = Math.min(period.endMs, nextBilled);
    const untilMs = takenUntilMs(period, policy);
    if (untilMs < lastCame.getTime()) taken.push({ startMs, endMs, untilMs });
    startMs = endMs;
  }
  return taken;
}

/** The period of an instant: a billed one, the one after the last of them, or a month of the time zone. */
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
