import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorUnitDigits } from '../../../platform/money/currencies.ts';
import { compareDecimals, formatDecimal, toDecimal } from '../../../platform/money/decimal.ts';
import { toMinor } from '../../../platform/money/money.ts';
import {
  currency,
  type PlainRates,
  plainPrice,
  rateRequestByRequest,
  roundTrillionths,
  toRatedPrice,
  writeTrillionths,
} from '../prices.test-model.ts';
import { ratePrice } from './rating.ts';

const FLAT: PlainRates = { model: 'flat', unitAmount: '0.004' };
const PACKAGE: PlainRates = { model: 'package', packageAmount: '5.00', packageSize: 1_000 };
const TIERS = [
  { upTo: 100, unitAmount: '0.10', flatAmount: '3.00' },
  { upTo: 1_000, unitAmount: '0.05', flatAmount: '2.00' },
  { upTo: null, unitAmount: '0.01' },
];
const GRADUATED: PlainRates = { model: 'graduated', tiers: TIERS };
const VOLUME: PlainRates = { model: 'volume', tiers: TIERS };

const rate = (rates: PlainRates, quantity: bigint | string, freeRequests = 0) =>
  formatDecimal(ratePrice(toRatedPrice({ rates, freeRequests }), quantity));
const cost = (rates: PlainRates, quantity: number, freeRequests = 0) =>
  Number(rate(rates, BigInt(quantity), freeRequests));

describe('the cost of requests', () => {
  test.each([
    [0, 0],
    [1, 0.004],
    [12_000, 48],
  ])('flat, 0.004 each: %i cost %d', (quantity, expected) => {
    expect(cost(FLAT, quantity)).toBe(expected);
  });

  test.each([
    [0, 0],
    [1, 5],
    [999, 5],
    [1_000, 5],
    [1_001, 10],
    [2_000, 10],
    [2_001, 15],
  ])('by package, 5.00 for each 1,000 begun: %i cost %d', (quantity, expected) => {
    expect(cost(PACKAGE, quantity)).toBe(expected);
  });

  test.each([
    [0, 0, 'nothing, not even the flat amount'],
    [1, 3.1, '3.00 for the first tier + 1 × 0.10'],
    [100, 13, '3.00 + 100 × 0.10'],
    [101, 15.05, '13.00 for the first tier + 2.00 for the second + 1 × 0.05'],
    [1_000, 60, '13.00 + 2.00 + 900 × 0.05'],
    [1_001, 60.01, '60.00 + 1 × 0.01'],
    [2_000, 70, '60.00 + 1,000 × 0.01'],
  ])('graduated: %i cost %d: %s', (quantity, expected) => {
    expect(cost(GRADUATED, quantity)).toBe(expected);
  });

  test.each([
    [0, 0, 'nothing, not even the flat amount'],
    [1, 3.1, '3.00 + 1 × 0.10'],
    [100, 13, '3.00 + 100 × 0.10'],
    [101, 7.05, '2.00 + 101 × 0.05: the second tier rates them all'],
    [1_000, 52, '2.00 + 1,000 × 0.05'],
    [1_001, 10.01, '1,001 × 0.01'],
  ])('volume: %i cost %d: %s', (quantity, expected) => {
    expect(cost(VOLUME, quantity)).toBe(expected);
  });
});

describe('free requests', () => {
  test.each([
    ['flat', FLAT, 1_000, 0],
    ['flat', FLAT, 1_001, 0.004],
    ['by the package', PACKAGE, 1_000, 0],
    ['by the package', PACKAGE, 1_001, 5],
    ['by the package', PACKAGE, 2_001, 10],
    ['graduated', GRADUATED, 1_000, 0],
    ['graduated', GRADUATED, 1_001, 3.1],
    ['graduated', GRADUATED, 1_101, 15.05],
    ['volume', VOLUME, 1_000, 0],
    ['volume', VOLUME, 1_100, 13],
    ['volume', VOLUME, 1_101, 7.05],
  ])('the first 1,000 are free before anything is counted: %s, %o: %i cost %d', (_model, rates, quantity, expected) => {
    expect(cost(rates, quantity, 1_000)).toBe(expected);
  });
});

describe('amounts are exact', () => {
  test('to the 12th decimal place', () => {
    expect(rate({ model: 'flat', unitAmount: '0.000000000001' }, 1n)).toBe('0.000000000001');
    expect(rate({ model: 'flat', unitAmount: '0.000000000001' }, 10n ** 12n)).toBe('1.000000000000');
  });

  test('where binary floating point is not', () => {
    expect(rate({ model: 'flat', unitAmount: '0.1' }, 3n)).toBe('0.3');
    expect(rate({ model: 'flat', unitAmount: '0.01' }, 9_007_199_254_740_993n)).toBe('90071992547409.93');
  });

  test('whether a quantity is a bigint or digits', () => {
    expect(rate(FLAT, '9007199254740993')).toBe(rate(FLAT, 9_007_199_254_740_993n));
  });

  test.each([-1n, '-1', '1.5', '', '1e3', ' 1', '+1', '٣'])('a quantity of %s is refused', (quantity) => {
    expect(() => rate(FLAT, quantity)).toThrow(RangeError);
  });

  test('tiers that do not reach the quantity are refused instead of rated in part', () => {
    const tiers = [{ upTo: 10, unitAmount: '1' }];
    for (const model of ['graduated', 'volume'] as const) {
      expect(cost({ model, tiers }, 10)).toBe(10);
      expect(() => cost({ model, tiers }, 11)).toThrow(RangeError);
    }
  });
});

describe('every model agrees with rating request by request', () => {
  test('to the last decimal place', () => {
    fc.assert(
      fc.property(plainPrice, fc.integer({ min: 0, max: 70 }), (price, quantity) => {
        const exact = ratePrice(toRatedPrice(price), BigInt(quantity));
        expect(compareDecimals(exact, toDecimal(writeTrillionths(rateRequestByRequest(price, quantity))))).toBe(0);
      }),
      { numRuns: 3_000 },
    );
  });

  test('rounded once, half away from zero, for every exponent of a currency', () => {
    fc.assert(
      fc.property(plainPrice, fc.integer({ min: 0, max: 70 }), currency, (price, quantity, code) => {
        const rounded = toMinor(ratePrice(toRatedPrice(price), BigInt(quantity)), code);
        expect(rounded).toBe(roundTrillionths(rateRequestByRequest(price, quantity), minorUnitDigits(code)));
      }),
      { numRuns: 2_000 },
    );
  });

  test('on both sides of every boundary', () => {
    fc.assert(
      fc.property(plainPrice, (price) => {
        const { rates, freeRequests } = price;
        const bounds = 'tiers' in rates ? rates.tiers.map(({ upTo }) => upTo ?? 40) : [12, 24];
        for (const edge of [0, ...bounds].map((bound) => bound + freeRequests)) {
          for (const quantity of [Math.max(0, edge - 1), edge, edge + 1]) {
            const byHand = toDecimal(writeTrillionths(rateRequestByRequest(price, quantity)));
            expect(compareDecimals(ratePrice(toRatedPrice(price), BigInt(quantity)), byHand)).toBe(0);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([FLAT, PACKAGE, GRADUATED, VOLUME])('for thousands of requests: %o', (rates) => {
    for (const quantity of [999, 1_000, 1_001, 2_000, 4_321]) {
      for (const freeRequests of [0, 1, 500]) {
        const byHand = toDecimal(writeTrillionths(rateRequestByRequest({ rates, freeRequests }, quantity)));
        expect(cost(rates, quantity, freeRequests)).toBe(Number(formatDecimal(byHand)));
      }
    }
  });
});
