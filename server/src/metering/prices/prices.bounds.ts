import { isBillingMonth } from '../../platform/calendar/billing-periods.ts';
import { parseInstant } from '../../platform/http/schema/instants.ts';

/**
 * Where a price begins or ends: an instant, or a month such as 2026-03, which means each company's own billing period.
 * For a month, `at` is its first instant in UTC, which sorts bounds.
 */
export type Bound = { at: Date; month: string | null };

/** Reads a bound from validated text. */
export function readBound(text: string): Bound {
  if (isBillingMonth(text)) return { at: new Date(`${text}-01T00:00:00Z`), month: text };
  const at = parseInstant(text);
  if (at === null) throw new RangeError('The bound of a price must be a month or an instant.');
  return { at, month: null };
}

/** Writes a bound as it was given. */
export function writeBound({ at, month }: Bound): string {
  return month ?? at.toISOString();
}

/** The earlier of two bounds; null means none. */
export function earlier(one: Bound | null, other: Bound | null): Bound | null {
  if (one === null || other === null) return one ?? other;
  return other.at < one.at ? other : one;
}

/**
 * The instant of a bound in a month's billing period. A bound that is a month takes effect before or after the whole
 * period, so no price changes within the period because of it. Null when it lies after the period.
 */
export function boundIn({ at, month }: Bound, period: string | undefined): Date | null {
  if (month === null || period === undefined) return at;
  return month <= period ? new Date(0) : null;
}
