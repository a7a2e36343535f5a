import { addDecimals, type Decimal, formatDecimal, toDecimal } from '../../../platform/money/decimal.ts';
import { fromMinor, toMinor } from '../../../platform/money/money.ts';
import { matchPrice, type Price, type PriceBook } from './matching.ts';
import { ratePrice, readQuantity } from './rating.ts';

/** The number of requests to a path in a segment of a period, within which no price changes, or in an hour of one. */
export type PathUsage = {
  path: string;
  /** The start of the segment or the hour. */
  from: Date;
  quantity: bigint | string;
};

/** A line as it goes into an invoice. */
export type RatedLine = {
  title: string;
  path: string;
  totalRequest: string;
  currency: string;
  /** In major units, rounded once, half away from zero, to the currency's minor unit. */
  amount: string;
  /** The version of the price that made the amount; null for the zero line of a path without a price. */
  priceId: string | null;
};

export type RatedUsage = {
  /** Sorted by path; the lines of one path in the order in which their prices were first used. */
  lines: RatedLine[];
  /** Paths that were requested while they had no price, sorted. Each has a zero line. */
  unpricedPaths: string[];
};

/** Requests that are rated together, and the time of the earliest. */
type Group = { price: Price | null; path: string; requests: bigint; since: Date };

/**
 * Rates the usage of a company in a period. Each version of a price rates the usage of its own time, with its own free
 * requests and its tiers from the start, and makes one line per path, or one in all when it is pooled. Usage without a
 * price makes a zero line titled with the path. No usage makes no line.
 * @throws RangeError for a quantity that is negative or not an integer
 */
export function rateUsage(book: PriceBook, usage: Iterable<PathUsage>): RatedUsage {
  const groups = [...groupUsage(book, usage)].sort(compareGroups);
  return {
    lines: groups.map((group) => rateGroup(group, book.currency)),
    unpricedPaths: groups.filter(({ price }) => price === null).map(({ path }) => path),
  };
}

/** The sum of the lines, net in major units. */
export function sumLines(lines: readonly RatedLine[]): Decimal {
  return lines.map(({ amount }) => toDecimal(amount)).reduce(addDecimals, toDecimal('0'));
}

function groupUsage(book: PriceBook, usage: Iterable<PathUsage>): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { path, from, quantity } of usage) {
    const requests = readQuantity(quantity);
    if (requests === 0n) continue;
    const price = matchPrice(book, path, from);
    const linePath = price?.pooled ? price.path : path;
    const key = `${price?.id} ${linePath}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { price, path: linePath, requests, since: from });
    } else {
      group.requests += requests;
      if (from < group.since) group.since = from;
    }
  }
  return groups.values();
}

function compareGroups(left: Group, right: Group): number {
  if (left.path !== right.path) return left.path < right.path ? -1 : 1;
  return left.since.getTime() - right.since.getTime();
}

function rateGroup({ price, path, requests }: Group, currency: string): RatedLine {
  const amountMinor = price === null ? 0n : toMinor(ratePrice(price, requests), currency);
  return {
    title: price?.title ?? path,
    path,
    totalRequest: String(requests),
    currency,
    amount: formatDecimal(fromMinor(amountMinor, currency)),
    priceId: price?.id ?? null,
  };
}
