import fc from 'fast-check';
import { toDecimal } from '../../platform/money/decimal.ts';
import { longHandRound } from '../../platform/money/money.test-model.ts';
import type { Period, Price } from './rating/matching.ts';
import type { RatedPrice, Rates } from './rating/rating.ts';

/** A price as an operator writes it: amounts are text, counts are numbers. */
export type PlainRates =
  | { model: 'flat'; unitAmount: string }
  | { model: 'package'; packageAmount: string; packageSize: number }
  | { model: 'graduated' | 'volume'; tiers: PlainTier[] };
export type PlainTier = { upTo: number | null; unitAmount: string; flatAmount?: string };
export type PlainPrice = { rates: PlainRates; freeRequests: number };

/** Converts a price to the form of the code under test. */
export function toRatedPrice({ rates, freeRequests }: PlainPrice): RatedPrice {
  return { rates: toRates(rates), freeRequests: BigInt(freeRequests) };
}

function toRates(rates: PlainRates): Rates {
  if (rates.model === 'flat') return { model: 'flat', unitAmount: toDecimal(rates.unitAmount) };
  if (rates.model === 'package') {
    const { model, packageAmount, packageSize } = rates;
    return { model, packageAmount: toDecimal(packageAmount), packageSize: BigInt(packageSize) };
  }
  const tiers = rates.tiers.map(({ upTo, unitAmount, flatAmount = '0' }) => ({
    upTo: upTo === null ? null : BigInt(upTo),
    unitAmount: toDecimal(unitAmount),
    flatAmount: toDecimal(flatAmount),
  }));
  return { model: rates.model, tiers };
}

/**
 * The reference model: rates one request after the other, as a person with a price list would. @returns the sum in
 * 10^-12 of the currency
 */
export function rateRequestByRequest({ rates, freeRequests }: PlainPrice, quantity: number): bigint {
  const requests = Array.from({ length: quantity }, (_, index) => index + 1);
  const charged = requests.filter((request) => request > freeRequests);
  const charges: string[] = [];
  const tiersReached = new Set<PlainTier>();
  for (const [index] of charged.entries()) {
    if (rates.model === 'flat') charges.push(rates.unitAmount);
    else if (rates.model === 'package') {
      const opensPackage = index % rates.packageSize === 0;
      if (opensPackage) charges.push(rates.packageAmount);
    } else {
      const number = rates.model === 'graduated' ? index + 1 : charged.length;
      const tier = tierOf(rates.tiers, number);
      if (!tiersReached.has(tier)) charges.push(tier.flatAmount ?? '0');
      tiersReached.add(tier);
      charges.push(tier.unitAmount);
    }
  }
  let sum = 0n;
  for (const charge of charges) sum += inTrillionths(charge);
  return sum;
}

/** The tier of the n-th request, counted from 1. */
function tierOf(tiers: PlainTier[], number: number): PlainTier {
  for (const tier of tiers) if (tier.upTo === null || number <= tier.upTo) return tier;
  throw new Error('the tiers have an end');
}

function inTrillionths(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
}

/** Trillionths as decimal text. */
export function writeTrillionths(trillionths: bigint): string {
  const digits = String(trillionths).padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`;
}

/** Rounds to this many decimal places. @returns units of the last one */
export function roundTrillionths(trillionths: bigint, digits: number): bigint {
  return longHandRound(writeTrillionths(trillionths), digits);
}

/** The price of a path at an instant, found by sorting all candidates. */
export function matchByHand<P extends Price>(prices: readonly P[], path: string, at: Date): P | null {
  const candidates = prices.filter((price) => {
    const isPrefix = price.path.endsWith('*');
    const fits = isPrefix ? path.startsWith(price.path.replace('*', '')) : path === price.path;
    return fits && price.effectiveFrom <= at && (price.effectiveTo === null || price.effectiveTo > at);
  });
  const rank = ({ companyId, path: pattern }: P) => [
    companyId === null ? 1 : 0,
    pattern.endsWith('*') ? 1 : 0,
    -pattern.length,
  ];
  candidates.sort((left, right) => {
    const [ranks, others] = [rank(left), rank(right)];
    const difference = ranks.findIndex((one, index) => one !== others[index]);
    return (ranks[difference] ?? 0) - (others[difference] ?? 0);
  });
  return candidates[0] ?? null;
}

/** Amounts with up to 12 places, many of which make halves of a minor unit. */
const amountText = fc.oneof(
  fc.constantFrom(
    '0',
    '0.5',
    '0.05',
    '0.005',
    '0.0005',
    '1',
    '2.50',
    '0.000000000001',
    '0.333333333333',
    '9999.999999999999',
  ),
  fc
    .tuple(fc.integer({ min: 0, max: 9_999 }), fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 12 }))
    .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`)),
);

const tiers = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
    fc.array(fc.record({ unitAmount: amountText, flatAmount: fc.option(amountText) }), { minLength: 5, maxLength: 5 }),
  )
  .map(([bounds, amounts]) =>
    [...bounds.sort((left, right) => left - right), null].map((upTo, index): PlainTier => {
      const { unitAmount = '1', flatAmount = null } = amounts[index] ?? {};
      return { upTo, unitAmount, ...(flatAmount === null ? {} : { flatAmount }) };
    }),
  );

/** Prices of every model, with bounds so small that quantities often lie on them. */
export const plainPrice: fc.Arbitrary<PlainPrice> = fc.record({
  rates: fc.oneof(
    fc.record({ model: fc.constant('flat' as const), unitAmount: amountText }),
    fc.record({
      model: fc.constant('package' as const),
      packageAmount: amountText,
      packageSize: fc.integer({ min: 1, max: 12 }),
    }),
    fc.record({ model: fc.constantFrom('graduated' as const, 'volume' as const), tiers }),
  ),
  freeRequests: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 })),
});

export const currency = fc.constantFrom('JPY', 'USD', 'KWD', 'CLF');

/** A price of the code under test together with its plain form. */
export type KnownPrice = Price & { plain: PlainPrice; bounds?: { from: ModelBound; ends: ModelBound[] } };

/** An instant, or a month of each company's own. */
export type ModelBound = { atMs: number; month: string | null };

/**
 * The prices as they apply within this month's billing period, where a bound that is a month lies before or after all
 * of it.
 */
export function pricesWithin(prices: readonly KnownPrice[], period: string): KnownPrice[] {
  const at = ({ atMs, month }: ModelBound) => {
    if (month === null) return atMs;
    return month > period ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  };
  return prices.flatMap((price) => {
    if (price.bounds === undefined) return [price];
    const [from, to] = [at(price.bounds.from), Math.min(...price.bounds.ends.map(at))];
    const dateOf = (ms: number) => new Date(Math.max(ms, Date.UTC(1970)));
    return from < to
      ? [{ ...price, effectiveFrom: dateOf(from), effectiveTo: Number.isFinite(to) ? dateOf(to) : null }]
      : [];
  });
}

const START_MS = Date.UTC(2026, 9, 1);

/** The start of the n-th hour of the period of the properties: 12 hours of October 2026. */
export function hour(number: number): Date {
  return new Date(START_MS + number * 3_600_000);
}

export const PERIOD: Period = { from: hour(0), to: hour(12) };

const PATTERNS = ['/a', '/a/b', '/a/b/c', '/*', '/a*', '/a/*', '/a/b*', '/a/b/*', '/d*'];

/** Versions of general prices and overrides on overlapping paths, beginning and ending within and around the period. */
export const prices: fc.Arbitrary<KnownPrice[]> = fc
  .uniqueArray(
    fc.record({
      path: fc.constantFrom(...PATTERNS),
      isOverride: fc.boolean(),
      pooled: fc.boolean(),
      begins: fc.integer({ min: -3, max: 13 }),
      lasts: fc.option(fc.integer({ min: 1, max: 8 })),
      plain: plainPrice,
    }),
    { maxLength: 12, selector: ({ path, isOverride, begins }) => `${path} ${isOverride} ${begins}` },
  )
  .map((drawn) =>
    drawn.map(({ path, isOverride, pooled, begins, lasts, plain }, index) => {
      const others = drawn.filter((other) => other.path === path && other.isOverride === isOverride);
      const next = Math.min(...others.map((other) => other.begins).filter((start) => start > begins));
      const end = Math.min(next, lasts === null ? Number.POSITIVE_INFINITY : begins + lasts);
      return {
        ...toRatedPrice(plain),
        plain,
        id: `price-${index}`,
        companyId: isOverride ? 'company' : null,
        path,
        title: `Title ${index}`,
        currency: 'USD',
        pooled,
        effectiveFrom: hour(begins),
        effectiveTo: end === Number.POSITIVE_INFINITY ? null : hour(end),
      };
    }),
  );

/** Paths that prices match, and some that few or none match. */
export const requestedPath = fc.constantFrom('/a', '/a/b', '/a/b/c', '/a/b/d', '/ab', '/a/', '/d', '/e', 'f');
