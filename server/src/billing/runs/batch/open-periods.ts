import { readBillingSettings } from '../../../customers/companies/companies.service.ts';
import {
  type BillingPeriod,
  monthAfter,
  monthAt,
  periodAfter,
  periodOf,
} from '../../../platform/calendar/billing-periods.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { type BilledPeriod, selectLastPeriod } from './billed-periods.queries.ts';

/** A month as it will be billed. */
export type OpenPeriod = BillingPeriod & { month: string };

/**
 * Lists the company's current month as it will be billed, and before it the last month while that waits for its run: at most two, the
 * current one last.
 * @throws ApiError not_found
 */
export async function listOpenPeriods(db: Queryable, companyId: string, now: Date): Promise<OpenPeriod[]> {
  const { timezone } = await readBillingSettings(db, companyId);
  const billed = await selectLastPeriod(db, companyId);
  const month = monthAt(now, timezone);
  const current = { month, ...periodToBill(billed, month, timezone) };
  const monthBefore = monthAt(new Date(current.startAt.getTime() - 1), timezone);
  if (monthBefore === month || (billed !== null && billed.period >= monthBefore)) return [current];
  return [{ month: monthBefore, ...periodToBill(billed, monthBefore, timezone) }, current];
}

/** Returns the period that a month will be billed for; it begins where the last billed one ended. */
function periodToBill(billed: BilledPeriod | null, month: string, timezone: string): BillingPeriod {
  const isNext = billed !== null && monthAfter(billed.period) === month;
  return (isNext ? periodAfter(billed.endAt, month, timezone) : null) ?? periodOf(month, timezone);
}
