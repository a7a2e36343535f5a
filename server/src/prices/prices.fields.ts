import { isBillingMonth } from '../billing-periods/billing-periods.service.ts';
import { parseInstant } from '../http/instants.ts';

/** The most that a package, a tier or a free allowance may count: every whole number up to there is exact in JSON. */
export const MAX_REQUESTS = 1_000_000_000_000_000;

const HOUR_MS = 3_600_000;

/** An amount of money in a price: plain notation, not negative, below 10^14 as every amount, of up to 12 places. */
export function checkAmount(value: string): string[] {
  if (!/^\d+(\.\d+)?$/.test(value)) return ['must be a plain decimal such as 0.004, not negative'];
  if (!/^\d+(\.\d{1,12})?$/.test(value)) return ['must have at most 12 decimal places'];
  return /^0*\d{1,14}(\.|$)/.test(value) && value.length <= 40 ? [] : ['must be less than 100000000000000'];
}

/**
 * A path, or a prefix of paths with a `*` behind it. Else any text, because usage takes any for a path: what can be used can be
 * priced.
 */
export function checkPath(value: string): string[] {
  return /\*./s.test(value) ? ['must have a * at its end alone'] : [];
}

/**
 * A month or an instant at which a price may begin or end. Usage is counted by the hour of UTC, so no price can change within one.
 */
export function checkBound(value: string): string[] {
  if (isBillingMonth(value)) return [];
  const instant = parseInstant(value);
  if (instant === null)
    return ['must be a month such as 2026-10, or a date-time with a zone, such as 2026-10-01T00:00:00Z'];
  return instant.getTime() % HOUR_MS === 0 ? [] : ['must be on a whole hour of UTC, such as 2026-10-01T00:00:00Z'];
}
