import { taxRateToBill } from '../../../customers/companies/companies.service.ts';
import type { BillingSettings } from '../../../customers/companies/companies.settings.schema.ts';
import { type BillingPeriod, monthAfter, periodAfter, periodOf } from '../../../platform/calendar/billing-periods.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { selectUnfinishedMonths } from '../pass/run.worker.queries.ts';
import type { CompanyBillRequest } from './bill.ts';
import type { BilledPeriod } from './billed-periods.queries.ts';

/**
 * Decides how a company is billed for a month, and from which instant; `billed` is its last billed period. Null when the month is billed.
 */
export function requestBill(
  settings: BillingSettings,
  { billed, month, upToCutoff }: { billed: BilledPeriod | null; month: string; upToCutoff: number | null },
): CompanyBillRequest | null {
  const { companyId, currency, timezone, lateUsage } = settings;
  // The month is billed already: `billed` is that month or a later one.
  if (billed !== null && billed.period >= month) return null;
  const period = periodFrom(billed?.endAt ?? null, month, timezone);
  if (period === null) return null;
  const last = lateUsage.kind === 'ignore' ? null : billed;
  const taxRate = taxRateToBill(settings);
  return { companyId, currency, taxRate, month, period, upToCutoff, last, items: 'pending' };
}

function periodFrom(lastEndAt: Date | null, month: string, timezone: string): BillingPeriod | null {
  return lastEndAt === null ? periodOf(month, timezone) : periodAfter(lastEndAt, month, timezone);
}

/** Lists the months that are billed before this one, oldest first: those of unfinished runs, and those without a run yet. */
export async function findMonthsBefore(db: Queryable, month: string): Promise<string[]> {
  const { unfinished, newest } = await selectUnfinishedMonths(db, month);
  if (newest === null) return unfinished;
  const missing: string[] = [];
  for (let next = monthAfter(newest); next < month; next = monthAfter(next)) missing.push(next);
  return [...unfinished, ...missing];
}

/**
 * Does the same for a preview, as if the months before had been billed by now. They begin where the last billed period ended, and the
 * first of them takes the late usage and the items.
 */
export function requestPreview(
  settings: BillingSettings,
  { billed, month, before }: { billed: BilledPeriod | null; month: string; before: readonly string[] },
): CompanyBillRequest | null {
  const request = requestBill(settings, { billed, month, upToCutoff: null });
  if (request === null) return null;
  let lastEndAt: Date | null = null;
  for (const earlier of before) {
    if (billed !== null && earlier <= billed.period) continue;
    lastEndAt = periodFrom(lastEndAt ?? billed?.endAt ?? null, earlier, settings.timezone)?.endAt ?? lastEndAt;
  }
  if (lastEndAt === null) return request;
  const period = periodFrom(lastEndAt, month, settings.timezone);
  return period === null ? null : { ...request, period, last: null, items: 'none' };
}
