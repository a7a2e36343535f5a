import type { Tx } from '../../platform/database/database.ts';
import { sumUsageOfMany } from '../usage/usage.service.ts';
import { type FindBook, findPricesOfMany } from './prices.books.ts';
import type { Bound } from './prices.bounds.ts';
import type { PriceKey } from './prices.operator.queries.ts';
import { matchPrice, priceSegments } from './rating/matching.ts';

/** A billed period with an invoice. Its usage is billed up to the cutoff, late usage included. */
export type BilledWithUsage = { companyId: string; period: string; startAt: Date; endAt: Date; cutoff: number };

/**
 * Finds up to `limit` billed periods whose usage a change of the price between the bounds may concern. Billing, a later domain, hands it
 * in.
 */
export type FindBilledWithUsage = (
  tx: Tx,
  key: PriceKey,
  bounds: { from: Bound; to: Bound | null },
  limit: number,
) => Promise<BilledWithUsage[]>;

/** The most billed months with usage of a price's paths that are checked before the price changes. */
const MAX_BILLED_PERIODS = 5_000;
const BILLED_PERIODS_TOGETHER = 200;

/**
 * A billed request that another version would rate, and until when such months are billed; or `too_many` when there are
 * more than can be checked.
 */
export type RepricedUsage = { companyId: string; period: string; path: string; until: Date } | 'too_many';

/**
 * Applies a change of a price and finds billed usage that would be rated by another version: billed usage never
 * changes. `from` and `to` bound the change. The caller holds the lock on prices, so running billing transactions have
 * ended, and rolls back when something is found. Null when nothing is.
 */
export async function findRepriced(
  tx: Tx,
  key: PriceKey,
  bounds: { from: Bound; to: Bound | null },
  change: () => Promise<void>,
  findBilledWithUsage: FindBilledWithUsage,
): Promise<RepricedUsage | null> {
  const periods = await findBilledWithUsage(tx, key, bounds, MAX_BILLED_PERIODS + 1);
  if (periods.length === 0) {
    await change();
    return null;
  }
  if (periods.length > MAX_BILLED_PERIODS) return 'too_many';
  const before = await findBooksOf(tx, key, periods);
  await change();
  const after = await findBooksOf(tx, key, periods);
  for (let start = 0; start < periods.length; start += BILLED_PERIODS_TOGETHER) {
    const found = await findRatedOtherwise(tx, periods.slice(start, start + BILLED_PERIODS_TOGETHER), {
      before,
      after,
    });
    const until = new Date(Math.max(...periods.map(({ endAt }) => endAt.getTime())));
    if (found !== null) return { ...found, until };
  }
  return null;
}

function findBooksOf(tx: Tx, { currency }: PriceKey, periods: readonly BilledWithUsage[]): Promise<FindBook> {
  const from = new Date(Math.min(...periods.map(({ startAt }) => startAt.getTime())));
  const to = new Date(Math.max(...periods.map(({ endAt }) => endAt.getTime())));
  return findPricesOfMany(tx, [...new Set(periods.map(({ companyId }) => companyId))], currency, { from, to });
}

async function findRatedOtherwise(
  tx: Tx,
  periods: readonly BilledWithUsage[],
  { before, after }: { before: FindBook; after: FindBook },
): Promise<Omit<RepricedUsage & object, 'until'> | null> {
  const segments = periods.flatMap(({ companyId, period, startAt, endAt, cutoff }) => {
    const books = { before: before(companyId, period), after: after(companyId, period) };
    const both = { ...books.before, prices: [...books.before.prices, ...books.after.prices] };
    const asked = { companyId, period, books, afterCutoff: 0, upToCutoff: cutoff };
    return priceSegments(both, { from: startAt, to: endAt }).map((segment) => ({ ...segment, ...asked }));
  });
  const sums = await sumUsageOfMany(tx, segments);
  for (const [index, { companyId, period, from, books }] of segments.entries()) {
    const other = sums[index]?.find(
      ({ path }) => matchPrice(books.before, path, from)?.id !== matchPrice(books.after, path, from)?.id,
    );
    if (other !== undefined) return { companyId, period, path: other.path };
  }
  return null;
}

/** Describes the finding for an error message. */
export function describeRepriced(repriced: RepricedUsage): string {
  if (repriced === 'too_many') return `more than ${MAX_BILLED_PERIODS} billed months have requests of such paths`;
  const { companyId, period, path } = repriced;
  return `${path} is on the invoice of ${period} of the company ${companyId}`;
}
