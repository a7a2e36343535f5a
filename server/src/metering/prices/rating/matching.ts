import type { RatedPrice } from './rating.ts';

/** A version of a price, in force from `effectiveFrom` (inclusive) to `effectiveTo` (exclusive). */
export type Price = RatedPrice & {
  id: string;
  /** The company that it overrides the price for; null for a general price. */
  companyId: string | null;
  /** A path, or a prefix of paths followed by `*`. */
  path: string;
  title: string;
  currency: string;
  /** Whether all paths of a prefix are counted together, as one line. */
  pooled: boolean;
  effectiveFrom: Date;
  /** The next version's start or its own end, whichever comes first; null when neither is known. */
  effectiveTo: Date | null;
};

/** Half-open: `from` is in it, `to` is not. */
export type Period = { from: Date; to: Date };

/** The prices of one company in one currency, indexed for matching. */
export type PriceBook = {
  currency: string;
  prices: readonly Price[];
  /** In the order of precedence. */
  shelves: readonly Shelf[];
};

type Shelf = {
  exact: ReadonlyMap<string, readonly Price[]>;
  prefixes: ReadonlyMap<string, readonly Price[]>;
  /** The lengths of the prefixes without their `*`, longest first. */
  prefixLengths: readonly number[];
};

/** Indexes prices. They must be of one currency and apply to one company, as `findPrices` reads them. */
export function createPriceBook(currency: string, prices: readonly Price[]): PriceBook {
  const overrides = prices.filter(({ companyId }) => companyId !== null);
  const general = prices.filter(({ companyId }) => companyId === null);
  return { currency, prices, shelves: [overrides, general].map(createShelf) };
}

/** The book of general prices extended by a company's overrides; the general ones are not indexed again. */
export function addOverrides({ currency, prices, shelves }: PriceBook, overrides: readonly Price[]): PriceBook {
  return { currency, prices: [...overrides, ...prices], shelves: [createShelf(overrides), ...shelves] };
}

function createShelf(prices: readonly Price[]): Shelf {
  const exact = Map.groupBy(
    prices.filter(({ path }) => !path.endsWith('*')),
    ({ path }) => path,
  );
  const prefixes = Map.groupBy(
    prices.filter(({ path }) => path.endsWith('*')),
    ({ path }) => path.slice(0, -1),
  );
  const lengths = new Set([...prefixes.keys()].map((prefix) => prefix.length));
  return { exact, prefixes, prefixLengths: [...lengths].sort((left, right) => right - left) };
}

/**
 * The price of a path at an instant; null when it has none. Overrides come first: any that matches wins over every
 * general price. Within each group an exact path beats a prefix and a longer prefix beats a shorter one. A price that
 * is not in force at the instant is skipped, so the next best match applies.
 */
export function matchPrice({ shelves }: PriceBook, path: string, at: Date): Price | null {
  for (const { exact, prefixes, prefixLengths } of shelves) {
    const found = inForce(exact.get(path), at);
    if (found !== undefined) return found;
    for (const length of prefixLengths) {
      if (length > path.length) continue;
      const matched = inForce(prefixes.get(path.slice(0, length)), at);
      if (matched !== undefined) return matched;
    }
  }
  return null;
}

function inForce(versions: readonly Price[] | undefined, at: Date): Price | undefined {
  return versions?.find(
    ({ effectiveFrom, effectiveTo }) => effectiveFrom <= at && (effectiveTo === null || at < effectiveTo),
  );
}

/**
 * Divides a period wherever a price begins or ends, so that within each segment every path has one price. Usage is
 * counted by path and segment and rated by `rateUsage`. Segments begin on whole hours of UTC, as `effectiveFrom` does.
 */
export function priceSegments({ prices }: PriceBook, { from, to }: Period): Period[] {
  const changes = prices.flatMap(({ effectiveFrom, effectiveTo }) => [effectiveFrom, effectiveTo ?? to]);
  const within = changes.map((change) => change.getTime()).filter((timeMs) => timeMs > from.getTime());
  const cuts = [...new Set([from.getTime(), ...within.filter((timeMs) => timeMs < to.getTime()), to.getTime()])];
  const instants = cuts.sort((left, right) => left - right).map((timeMs) => new Date(timeMs));
  return instants.slice(1).map((end, index) => ({ from: instants[index] ?? from, to: end }));
}
