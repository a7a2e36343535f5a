import { addDecimals, type Decimal, multiplyDecimals } from '../../../platform/money/decimal.ts';

/** A range of requests and what they cost. Amounts are exact, in major units of the price's currency. */
export type Tier = {
  /** The last billable request in it, counted from 1; null for the last tier, which is unbounded. */
  upTo: bigint | null;
  unitAmount: Decimal;
  /** Charged once as soon as one billable request reaches the tier. */
  flatAmount: Decimal;
};

/** How billable requests become an amount. Amounts are exact, in major units of the price's currency. */
export type Rates =
  /** Each request costs the same. */
  | { model: 'flat'; unitAmount: Decimal }
  /** Requests are sold in packages; a package that is begun is charged in full. */
  | { model: 'package'; packageAmount: Decimal; packageSize: bigint }
  /** Each request costs what its own tier says. */
  | { model: 'graduated'; tiers: readonly Tier[] }
  /** All requests cost what the tier of the last one says. */
  | { model: 'volume'; tiers: readonly Tier[] };

export type RatedPrice = {
  rates: Rates;
  /** The number of requests that are free. They are subtracted first: tiers and packages count the rest. */
  freeRequests: bigint;
};

const ZERO: Decimal = { coefficient: 0n, scale: 0 };

/**
 * The exact cost of this many requests. Nothing is rounded here: `toMinor` rounds the line that shows it, once. If all
 * requests are free, the cost is zero even where a tier has a flat amount.
 * @throws RangeError for a quantity that is negative or not an integer, and for tiers that do not reach it
 */
export function ratePrice({ rates, freeRequests }: RatedPrice, quantity: bigint | string): Decimal {
  const requests = readQuantity(quantity);
  if (requests <= freeRequests) return ZERO;
  const billable = requests - freeRequests;
  switch (rates.model) {
    case 'flat':
      return times(rates.unitAmount, billable);
    case 'package':
      return times(rates.packageAmount, packagesFor(billable, rates.packageSize));
    case 'graduated':
      return rateGraduated(rates.tiers, billable);
    case 'volume':
      return rateVolume(rates.tiers, billable);
  }
}

/** A count of requests, as a bigint or as digits. @throws RangeError for anything else */
export function readQuantity(quantity: bigint | string): bigint {
  if (typeof quantity === 'bigint' ? quantity < 0n : !/^\d+$/.test(quantity)) {
    throw new RangeError('A quantity must be a whole number, not negative.');
  }
  return BigInt(quantity);
}

function packagesFor(requests: bigint, packageSize: bigint): bigint {
  return (requests + packageSize - 1n) / packageSize;
}

function rateGraduated(tiers: readonly Tier[], requests: bigint): Decimal {
  let total = ZERO;
  let rated = 0n;
  for (const { upTo, unitAmount, flatAmount } of tiers) {
    if (rated === requests) break;
    const last = upTo === null || upTo > requests ? requests : upTo;
    total = addDecimals(total, addDecimals(flatAmount, times(unitAmount, last - rated)));
    rated = last;
  }
  return rated === requests ? total : refuseShortTiers();
}

function rateVolume(tiers: readonly Tier[], requests: bigint): Decimal {
  const tier = tiers.find(({ upTo }) => upTo === null || requests <= upTo) ?? refuseShortTiers();
  return addDecimals(tier.flatAmount, times(tier.unitAmount, requests));
}

function refuseShortTiers(): never {
  throw new RangeError('The last tier of a price must have no end.');
}

function times(amount: Decimal, count: bigint): Decimal {
  return multiplyDecimals(amount, { coefficient: count, scale: 0 });
}
