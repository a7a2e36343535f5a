import type { BillingPeriod } from '../../platform/calendar/billing-periods.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Decimal } from '../../platform/money/decimal.ts';
import { sumUsageOfMany } from '../usage/usage.service.ts';
import { type FindBook, findPricesOfMany } from './prices.books.ts';
import { type PriceBook, priceSegments } from './rating/matching.ts';
import { type PathUsage, rateUsage, sumLines } from './rating/usage.ts';

/** A company's billing period, or the rest of one, of a month, with its usage up to a cutoff; null for all usage that is acknowledged. */
export type PeriodToPrice = BillingPeriod & {
  companyId: string;
  currency: string;
  month: string;
  upToCutoff: number | null;
};

/** The usage of a period, with the prices that apply to it: what `rateUsage` takes. */
export type PricedUsage = { book: PriceBook; usage: readonly PathUsage[] };

/**
 * Reads the usage of many periods with its prices: the prices with one query for each currency, all usage with one.
 * @returns what was read of one of these periods
 */
export async function readPricedUsage<Period extends PeriodToPrice>(
  db: Queryable,
  periods: readonly Period[],
): Promise<(period: Period) => PricedUsage> {
  const findBook = await findBooksOfMany(db, periods);
  const segments = periods.flatMap((period) => {
    const { companyId, startAt: from, endAt: to, upToCutoff } = period;
    return priceSegments(findBook(period), { from, to }).map((segment) => ({
      ...segment,
      companyId,
      afterCutoff: 0,
      upToCutoff,
      period,
    }));
  });
  const sums = await sumUsageOfMany(db, segments);
  const usage = new Map(periods.map((period): [Period, PathUsage[]] => [period, []]));
  for (const [index, { period, from }] of segments.entries()) {
    for (const { path, quantity } of sums[index] ?? []) usage.get(period)?.push({ path, quantity, from });
  }
  return (period) => ({ book: findBook(period), usage: usage.get(period) ?? refuseUnread() });
}

/** Reads what the usage of many periods is worth, net in major units. @returns the worth of one of these periods */
export async function readWorths<Period extends PeriodToPrice>(
  db: Queryable,
  periods: readonly Period[],
): Promise<(period: Period) => Decimal> {
  const read = await readPricedUsage(db, periods);
  return (period) => {
    const { book, usage } = read(period);
    return sumLines(rateUsage(book, usage).lines);
  };
}

/** The prices of one time serve all periods within it, since prices that are not in force within a period do not affect it. */
async function findBooksOfMany(
  db: Queryable,
  periods: readonly PeriodToPrice[],
): Promise<(period: PeriodToPrice) => PriceBook> {
  const finders = new Map<string, FindBook>();
  for (const [currency, ofCurrency] of Map.groupBy(periods, (period) => period.currency)) {
    const companyIds = [...new Set(ofCurrency.map(({ companyId }) => companyId))];
    const from = new Date(Math.min(...ofCurrency.map(({ startAt }) => startAt.getTime())));
    const to = new Date(Math.max(...ofCurrency.map(({ endAt }) => endAt.getTime())));
    finders.set(currency, await findPricesOfMany(db, companyIds, currency, { from, to }));
  }
  return ({ companyId, currency, month }) => finders.get(currency)?.(companyId, month) ?? refuseUnread();
}

function refuseUnread(): never {
  throw new RangeError('The usage of this period was not read.');
}
