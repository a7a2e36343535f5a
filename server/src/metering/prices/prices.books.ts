import type { Queryable } from '../../platform/database/database.ts';
import { toDecimal } from '../../platform/money/decimal.ts';
import { type Bound, boundIn } from './prices.bounds.ts';
import { type PriceRow, type StoredRates, selectPricesInForce } from './prices.worker.queries.ts';
import { addOverrides, createPriceBook, type Period, type PriceBook } from './rating/matching.ts';
import type { Rates, Tier } from './rating/rating.ts';

/**
 * All prices that apply to a company in a currency at some time in a period, overrides and general ones, in one query.
 */
export async function findPrices(
  db: Queryable,
  companyId: string,
  currency: string,
  { month, ...period }: Period & { month?: string },
): Promise<PriceBook> {
  return (await findPricesOfMany(db, [companyId], currency, period))(companyId, month);
}

/** Returns a company's price book for its billing period of a month; without a month, month bounds are in UTC. */
export type FindBook = (companyId: string, month?: string) => PriceBook;

/** The price books of many companies in one query. Companies without overrides share one book. */
export async function findPricesOfMany(
  db: Queryable,
  companyIds: readonly string[],
  currency: string,
  period: Period,
): Promise<FindBook> {
  const rows = await selectPricesInForce(db, companyIds, currency, period);
  const hasMonths = rows.some(({ fromMonth, toMonth, nextMonth }) => (fromMonth ?? toMonth ?? nextMonth) !== null);
  const finders = new Map<string | undefined, (companyId: string) => PriceBook>();
  return (companyId, asked) => {
    const month = hasMonths ? asked : undefined;
    const find = finders.get(month) ?? bindBooks(rows, currency, month);
    finders.set(month, find);
    return find(companyId);
  };
}

function bindBooks(
  rows: readonly PriceRow[],
  currency: string,
  month: string | undefined,
): (companyId: string) => PriceBook {
  const prices = rows.flatMap((row) => {
    const times = timesIn(row, month);
    return times === null ? [] : [{ ...row, ...times, rates: readRates(row), freeRequests: BigInt(row.freeRequests) }];
  });
  const byCompany = Map.groupBy(prices, ({ companyId }) => companyId);
  const general = createPriceBook(currency, byCompany.get(null) ?? []);
  const books = new Map<string, PriceBook>();
  for (const [companyId, overrides] of byCompany) {
    if (companyId !== null) books.set(companyId, addOverrides(general, overrides));
  }
  return (companyId) => books.get(companyId) ?? general;
}

/** From when until when a version is in force in a month's billing period; null when it is not. */
function timesIn(row: PriceRow, month: string | undefined): { effectiveFrom: Date; effectiveTo: Date | null } | null {
  const effectiveFrom = boundIn({ at: row.effectiveFrom, month: row.fromMonth }, month);
  // Its own end and the next version's start: one may lie before the period although it is later in UTC.
  const ends = endsOf(row).map((bound) => boundIn(bound, month));
  const effectiveTo = ends.reduce(
    (first, end) => (first === null || (end !== null && end < first) ? end : first),
    null,
  );
  if (effectiveFrom === null || (effectiveTo !== null && effectiveTo <= effectiveFrom)) return null;
  return { effectiveFrom, effectiveTo };
}

/** The end of a version and the start of the next one, those that exist. */
export function endsOf({ effectiveTo, toMonth, nextFrom, nextMonth }: PriceRow): Bound[] {
  return [
    ...(effectiveTo === null ? [] : [{ at: effectiveTo, month: toMonth }]),
    ...(nextFrom === null ? [] : [{ at: nextFrom, month: nextMonth }]),
  ];
}

/** Reads stored rates. @throws RangeError when they do not fit the model */
function readRates({ model, rates }: Pick<PriceRow, 'model' | 'rates'>): Rates {
  const { unitAmount = '', packageAmount = '', packageSize = 0, tiers = [] } = rates;
  switch (model) {
    case 'flat':
      return { model, unitAmount: toDecimal(unitAmount) };
    case 'package':
      return { model, packageAmount: toDecimal(packageAmount), packageSize: BigInt(packageSize) };
    case 'graduated':
    case 'volume':
      return { model, tiers: tiers.map(readTier) };
  }
}

function readTier({ upTo, unitAmount, flatAmount = '0' }: NonNullable<StoredRates['tiers']>[number]): Tier {
  return {
    upTo: upTo === null ? null : BigInt(upTo),
    unitAmount: toDecimal(unitAmount),
    flatAmount: toDecimal(flatAmount),
  };
}
