import { isBillingMonth } from '../../platform/calendar/billing-periods.ts';
import { parseInstant } from '../../platform/http/schema/instants.ts';

/**
 * Where a price begins or ends: an instant, or a month such as 2026-03, which is each company's billing period of that name. `at` of a
 * month is its first instant in UTC, which puts bounds in order.
 */
export type Bound = { at: Date; month: string | null };

/** Of a text that validation let through. */
export function readBound(text: string): Bound {
  if (isBillingMonth(text)) return { at: new Date(`${text}-01T00:00:00Z`), month: text };
  const at = parseInstant(text);
  if (at === null) throw new RangeError('Neither a month nor an instant.');
  return { at, month: null };
}

/** As it was written. */
export function writeBound({ at, month }: Bound): string {
  return month ?? at.toISOString();
}

/** The first of two bounds; null is none. */
export function earlier(one: Bound | null, other: Bound | null): Bound | null {
  if (one === null || other === null) return one ?? other;
  return other.at < one.at ? other : one;
}

/**
 * A bound as an instant for the billing period of a month: one that is a month itself lies before the period or after all of it, so no
 * price changes within the period because of it. Null for after it.
 */
export function boundIn({ at, month }: Bound, period: string | undefined): Date | null {
  if (month === null || period === undefined) return at;
  return month <= period ? new Date(0) : null;
}
