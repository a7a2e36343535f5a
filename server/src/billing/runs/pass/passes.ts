import { v7 as uuidv7 } from 'uuid';
import { assertNotHeld } from '../../../continuity/hold/charges-hold.service.ts';
import { monthAfter, monthAt, periodOf } from '../../../platform/calendar/billing-periods.ts';
import { type Db, type Queryable, type Tx, transaction } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import { findFirstPendingItems } from '../../items/items.service.ts';
import {
  beginPass,
  type DueAt,
  insertRun,
  type MonthEnds,
  type RunState,
  selectFirstUsage,
  selectNewestPeriod,
  selectRunBacklog,
  selectRunsUpTo,
  selectTimezones,
  selectWaitingPeriods,
  selectWaitingRun,
  settleRun,
} from './pass.worker.queries.ts';

/** Returns the month's end in each time zone that a company has. */
export async function findMonthEnds(db: Queryable, period: string): Promise<MonthEnds> {
  const timezones = await selectTimezones(db);
  return Object.fromEntries(timezones.map((timezone) => [timezone, periodOf(period, timezone).endAt.toISOString()]));
}

/**
 * Makes the run of a month by hand, or begins another pass of it: every company that is not billed for the month, and whose month is
 * over, is billed now, without the grace time. Unfinished runs of earlier months start too, since months are billed in order. A run with
 * nothing to do does not change.
 * @throws ApiError period_not_over
 */
export async function startByHand(tx: Tx, period: string, now: Date): Promise<void> {
  await refuseMonthNotOver(tx, period, now);
  await insertRun(tx, uuidv7(), period);
  for (const run of await selectRunsUpTo(tx, period)) await wakeByHand(tx, run, now);
}

/** @throws ApiError period_not_over when the month is not over for any company */
export async function refuseMonthNotOver(tx: Tx, period: string, now: Date): Promise<void> {
  const overAt = findFirstEnd(period, await selectTimezones(tx));
  if (overAt > now) {
    throw new ApiError(
      'period_not_over',
      `${period} has not ended for any company; the first one ends it at ${overAt.toISOString()}.`,
    );
  }
}

/** Returns the earliest end of the month; without companies, the end in the default time zone. */
function findFirstEnd(period: string, timezones: readonly string[]): Date {
  const zones = timezones.length === 0 ? ['UTC'] : timezones;
  return new Date(Math.min(...zones.map((timezone) => periodOf(period, timezone).endAt.getTime())));
}

async function wakeByHand(tx: Tx, run: RunState, now: Date): Promise<void> {
  if (run.status === 'running' && run.withoutGrace) return;
  const dueAt: DueAt = { period: run.period, ends: await findMonthEnds(tx, run.period), asOf: now, withoutGrace: true };
  const backlog = await selectRunBacklog(tx, dueAt);
  if (backlog.due > 0) return beginPass(tx, run.id, backlog, dueAt);
  const isAtItsEnd = run.status === 'done' && backlog.later === 0;
  if (isAtItsEnd || run.status === 'running') return;
  await settleRun(tx, { ...run, failures: 0, withoutGrace: true }, backlog);
}

/**
 * Makes the run of each month that is over for some company, and begins a pass of each run with companies that became due since its last
 * one. Any number of processes may call it at once. @throws ApiError charges_held
 */
export async function advanceDueRuns(db: Db, now: Date): Promise<void> {
  for (const period of await findMissingPeriods(db, now)) {
    await transaction(db, (tx) => Promise.all([insertRun(tx, uuidv7(), period), assertNotHeld(tx)]));
  }
  for (const period of await selectWaitingPeriods(db)) {
    await transaction(db, async (tx) => {
      const [run] = await Promise.all([selectWaitingRun(tx, period), assertNotHeld(tx)]);
      if (run !== null) await wakeWhenDue(tx, run, now);
    });
  }
}

/** Lists the months after the newest run that are over in some time zone; before the first run, those since the first usage or item. */
async function findMissingPeriods(db: Db, now: Date): Promise<string[]> {
  const newest = await selectNewestPeriod(db);
  const first = newest === null ? await findFirstMonth(db) : monthAfter(newest);
  if (first === null) return [];
  const timezones = await selectTimezones(db);
  const missing: string[] = [];
  for (let period = first; findFirstEnd(period, timezones) <= now; period = monthAfter(period)) missing.push(period);
  return missing;
}

/** So many companies are read by one statement, which stays far below the statement timeout. */
const COMPANIES_PER_READ = 5_000;

async function findFirstMonth(db: Db): Promise<string | null> {
  const items = await findFirstPendingItems(db);
  const months = items.map(({ timezone, createdAt }) => monthAt(createdAt, timezone));
  for (let afterCompanyId: string | null = null; ; ) {
    const page = await selectFirstUsage(db, { afterCompanyId, limit: COMPANIES_PER_READ });
    for (const { timezone, usedAt } of page) if (usedAt !== null) months.push(monthAt(usedAt, timezone));
    if (page.length === 0) return months.sort()[0] ?? null;
    afterCompanyId =
      page
        .map(({ lastCompanyId }) => lastCompanyId)
        .sort()
        .at(-1) ?? null;
  }
}

async function wakeWhenDue(tx: Tx, run: RunState, now: Date): Promise<void> {
  const { period, withoutGrace } = run;
  const dueAt: DueAt = { period, ends: await findMonthEnds(tx, period), asOf: now, withoutGrace };
  const backlog = await selectRunBacklog(tx, dueAt);
  // Companies that could not be billed are still due, but do not cause another try by themselves.
  if (backlog.due > run.failures) await beginPass(tx, run.id, backlog, dueAt);
  else await settleRun(tx, run, backlog);
}
