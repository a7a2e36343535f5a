import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorUnitDigits } from '../../../platform/money/currencies.ts';
import { formatDecimal } from '../../../platform/money/decimal.ts';
import { fromMinor } from '../../../platform/money/money.ts';
import {
  currency,
  hour,
  type KnownPrice,
  matchByHand,
  PERIOD,
  prices,
  rateRequestByRequest,
  requestedPath,
  roundTrillionths,
  toRatedPrice,
} from '../prices.test-model.ts';
import { createPriceBook, matchPrice, type Price, priceSegments } from './matching.ts';
import { type RatedLine, rateUsage } from './usage.ts';

const price = (id: string, changes: Partial<Price> = {}): Price => ({
  ...toRatedPrice({ rates: { model: 'flat', unitAmount: '1' }, freeRequests: 0 }),
  id,
  companyId: null,
  path: '/a',
  title: `Title of ${id}`,
  currency: 'USD',
  pooled: false,
  effectiveFrom: hour(0),
  effectiveTo: null,
  ...changes,
});
const own = { companyId: 'company' };
const flat = (unitAmount: string, freeRequests = 0) =>
  toRatedPrice({ rates: { model: 'flat', unitAmount }, freeRequests });

describe('which price applies to a path', () => {
  const find = (path: string, ...all: Price[]) => matchPrice(createPriceBook('USD', all), path, hour(1))?.id ?? null;
  const anything = price('anything', { path: '/*' });
  const prefix = price('prefix', { path: '/a/*' });
  const longer = price('longer', { path: '/a/b/*' });
  const exact = price('exact', { path: '/a/b/c' });

  test('the exact path before any prefix', () => {
    expect(find('/a/b/c', anything, prefix, longer, exact)).toBe('exact');
  });

  test('the longest prefix', () => {
    expect(find('/a/b/d', anything, prefix, longer, exact)).toBe('longer');
    expect(find('/a/x', anything, prefix, longer, exact)).toBe('prefix');
    expect(find('/x', anything, prefix, longer, exact)).toBe('anything');
  });

  test('a prefix is compared by character, and also matches the prefix itself', () => {
    expect(find('/a/', prefix)).toBe('prefix');
    expect(find('/a', prefix)).toBeNull();
    expect(find('/ab', prefix)).toBeNull();
    expect(find('/ab', price('open', { path: '/a*' }))).toBe('open');
    expect(find('/A/x', prefix)).toBeNull();
  });

  test('an exact path is not a prefix', () => {
    expect(find('/a/b/c/d', exact)).toBeNull();
    expect(find('/a/b/c/', exact)).toBeNull();
  });

  test('any matching override before every general price, even an exact one', () => {
    expect(find('/a/b/c', exact, price('override', { ...own, path: '/*' }))).toBe('override');
    expect(find('/a/b/c', exact, price('override', { ...own, path: '/x*' }))).toBe('exact');
  });

  test('one in force: from its start, until just before its end', () => {
    const versions = [
      price('first', { effectiveFrom: hour(0), effectiveTo: hour(5) }),
      price('second', { effectiveFrom: hour(5), effectiveTo: hour(9) }),
    ];
    const book = createPriceBook('USD', versions);
    const at = (timeMs: number) => matchPrice(book, '/a', new Date(timeMs))?.id ?? null;
    expect(at(hour(0).getTime() - 1)).toBeNull();
    expect(at(hour(0).getTime())).toBe('first');
    expect(at(hour(5).getTime() - 1)).toBe('first');
    expect(at(hour(5).getTime())).toBe('second');
    expect(at(hour(9).getTime() - 1)).toBe('second');
    expect(at(hour(9).getTime())).toBeNull();
  });

  test('the next best match where the best one is not in force', () => {
    const ended = price('ended', { ...own, path: '/a', effectiveTo: hour(1) });
    expect(find('/a', ended, price('general'), anything)).toBe('general');
  });

  test('the same as searching all prices one by one', () => {
    const instant = fc
      .integer({ min: 0, max: 12 * 4 })
      .map((quarters) => new Date(hour(0).getTime() + quarters * 900_000));
    fc.assert(
      fc.property(prices, requestedPath, instant, (all, path, at) => {
        expect(matchPrice(createPriceBook('USD', all), path, at)?.id).toBe(matchByHand(all, path, at)?.id);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('segments', () => {
  test('a period without a change is one segment', () => {
    expect(priceSegments(createPriceBook('USD', [price('always')]), PERIOD)).toEqual([PERIOD]);
    expect(priceSegments(createPriceBook('USD', []), PERIOD)).toEqual([PERIOD]);
  });

  test('begin where a price begins or ends within the period, not at its bounds or outside', () => {
    const book = createPriceBook('USD', [
      price('before', { effectiveFrom: hour(-5), effectiveTo: hour(3) }),
      price('after', { effectiveFrom: hour(3), effectiveTo: hour(12) }),
      price('other', { path: '/b', effectiveFrom: hour(7), effectiveTo: hour(40) }),
    ]);
    expect(priceSegments(book, PERIOD)).toEqual([
      { from: hour(0), to: hour(3) },
      { from: hour(3), to: hour(7) },
      { from: hour(7), to: hour(12) },
    ]);
  });
});

describe('rated usage', () => {
  test('is one line per path with its title, count and amount, sorted by path', () => {
    const book = createPriceBook('USD', [price('a', flat('0.004')), price('b', { path: '/b', ...flat('2.5') })]);
    const usage = [
      { path: '/b', from: hour(0), quantity: '3' },
      { path: '/a', from: hour(0), quantity: 12_000n },
      { path: '/a', from: hour(1), quantity: 1n },
    ];
    expect(rateUsage(book, usage)).toEqual({
      lines: [
        { title: 'Title of a', path: '/a', totalRequest: '12001', currency: 'USD', amount: '48.00', priceId: 'a' },
        { title: 'Title of b', path: '/b', totalRequest: '3', currency: 'USD', amount: '7.50', priceId: 'b' },
      ],
      unpricedPaths: [],
    });
  });

  test('lists a path without a price, and shows it as a line of zero', () => {
    const usage = [{ path: '/unknown', from: hour(0), quantity: 7n }];
    expect(rateUsage(createPriceBook('KWD', []), usage)).toEqual({
      lines: [
        { title: '/unknown', path: '/unknown', totalRequest: '7', currency: 'KWD', amount: '0.000', priceId: null },
      ],
      unpricedPaths: ['/unknown'],
    });
  });

  test('is empty without usage', () => {
    const usage = [
      { path: '/a', from: hour(0), quantity: 0n },
      { path: '/unknown', from: hour(0), quantity: '0' },
    ];
    expect(rateUsage(createPriceBook('USD', [price('a')]), usage)).toEqual({ lines: [], unpricedPaths: [] });
  });

  test.each([
    ['JPY', '0.5', 1n, '1'],
    ['JPY', '0.4', 1n, '0'],
    ['USD', '0.005', 1n, '0.01'],
    ['USD', '0.004', 3n, '0.01'],
    ['KWD', '0.0005', 1n, '0.001'],
    ['KWD', '0.0004', 1n, '0.000'],
  ])('rounds the line once, not each request: %s %s × %s is %s', (code, unitAmount, quantity, amount) => {
    const book = createPriceBook(code, [price('a', flat(unitAmount))]);
    expect(rateUsage(book, [{ path: '/a', from: hour(0), quantity }]).lines[0]?.amount).toBe(amount);
  });

  test('each version rates its own part of the period, where tiers and free requests start anew', () => {
    const book = createPriceBook('USD', [
      price('old', { ...flat('1', 10), effectiveTo: hour(6) }),
      price('new', { ...flat('2', 10), effectiveFrom: hour(6) }),
    ]);
    const usage = [
      { path: '/a', from: hour(0), quantity: 15n },
      { path: '/a', from: hour(6), quantity: 15n },
    ];
    const { lines } = rateUsage(book, usage);
    expect(lines.map(({ priceId, totalRequest, amount }) => [priceId, totalRequest, amount])).toEqual([
      ['old', '15', '5.00'],
      ['new', '15', '10.00'],
    ]);
  });

  test('a version interrupted by an override counts its time before and after together', () => {
    const book = createPriceBook('USD', [
      price('general', flat('1', 10)),
      price('override', { ...own, ...flat('3'), effectiveFrom: hour(3), effectiveTo: hour(6) }),
    ]);
    const usage = [0, 3, 6].map((number) => ({ path: '/a', from: hour(number), quantity: 8n }));
    const { lines } = rateUsage(book, usage);
    expect(lines.map(({ priceId, totalRequest, amount }) => [priceId, totalRequest, amount])).toEqual([
      ['general', '16', '6.00'],
      ['override', '8', '24.00'],
    ]);
  });

  test('lines of one path are in the order of their time, whatever their prices’ starts', () => {
    const book = createPriceBook('USD', [
      price('general'),
      price('override', { ...own, effectiveFrom: hour(0), effectiveTo: hour(3) }),
      price('later', { ...own, effectiveFrom: hour(6), effectiveTo: hour(9) }),
    ]);
    const usage = [10, 7, 4, 1].map((number) => ({ path: '/a', from: hour(number), quantity: 1n }));
    for (const ordered of [usage, usage.toReversed()]) {
      expect(rateUsage(book, ordered).lines.map(({ priceId }) => priceId)).toEqual(['override', 'general', 'later']);
    }
  });

  test('a prefix rates each path by itself, or all of them as one line when it is pooled', () => {
    const usage = ['/a/1', '/a/2'].map((path) => ({ path, from: hour(0), quantity: 15n }));
    const rated = (pooled: boolean) =>
      rateUsage(createPriceBook('USD', [price('all', { path: '/a/*', pooled, ...flat('1', 10) })]), usage).lines.map(
        ({ path, totalRequest, amount }) => [path, totalRequest, amount],
      );
    expect(rated(false)).toEqual([
      ['/a/1', '15', '5.00'],
      ['/a/2', '15', '5.00'],
    ]);
    expect(rated(true)).toEqual([['/a/*', '30', '20.00']]);
  });

  test('a quantity that is not a count is refused', () => {
    const book = createPriceBook('USD', [price('a')]);
    for (const quantity of [-1n, '-1', '1.5', 'x']) {
      expect(() => rateUsage(book, [{ path: '/a', from: hour(0), quantity }])).toThrow(RangeError);
    }
  });
});

type Request = { path: string; minute: number };

/**
 * Finds each request's price by the reference model, and rates request by request what falls to one version and line.
 */
function billByHand(all: KnownPrice[], requests: Request[], code: string): Set<string> {
  const counts = new Map<string, { known: KnownPrice | null; path: string; count: number }>();
  for (const { path, minute } of requests) {
    const known = matchByHand(all, path, new Date(hour(0).getTime() + minute * 60_000));
    const linePath = known?.pooled ? known.path : path;
    const counted = counts.get(`${known?.id} ${linePath}`) ?? { known, path: linePath, count: 0 };
    counted.count += 1;
    counts.set(`${known?.id} ${linePath}`, counted);
  }
  const lines = [...counts.values()].map(({ known, path, count }) => {
    const exact = known === null ? 0n : rateRequestByRequest(known.plain, count);
    const amount = formatDecimal(fromMinor(roundTrillionths(exact, minorUnitDigits(code)), code));
    return `${known?.id ?? null} ${known?.title ?? path} ${path} ${count} ${code} ${amount}`;
  });
  return new Set(lines);
}

const writeLine = ({ priceId, title, path, totalRequest, currency: code, amount }: RatedLine) =>
  `${priceId} ${title} ${path} ${totalRequest} ${code} ${amount}`;

describe('the requests of a period', () => {
  const requests = fc.array(fc.record({ path: requestedPath, minute: fc.integer({ min: 0, max: 12 * 60 - 1 }) }), {
    maxLength: 120,
  });

  /** Usage as it is counted: requests by path and segment. */
  const countWithin = (all: Request[], starts: Date[]) =>
    starts.flatMap((from, index) => {
      const end = starts[index + 1] ?? PERIOD.to;
      const within = all.filter(({ minute }) => {
        const timeMs = hour(0).getTime() + minute * 60_000;
        return timeMs >= from.getTime() && timeMs < end.getTime();
      });
      const byPath = Map.groupBy(within, ({ path }) => path);
      return [...byPath].map(([path, { length }]) => ({ path, from, quantity: BigInt(length) }));
    });

  test('counted by segment or by hour cost the same as one by one', () => {
    fc.assert(
      fc.property(prices, requests, currency, (all, made, code) => {
        const book = createPriceBook(code, all);
        const expected = billByHand(all, made, code);
        const hours = Array.from({ length: 12 }, (_, number) => hour(number));
        for (const starts of [priceSegments(book, PERIOD).map(({ from }) => from), hours]) {
          const { lines, unpricedPaths } = rateUsage(book, countWithin(made, starts));
          expect(new Set(lines.map(writeLine))).toEqual(expected);
          expect(lines).toHaveLength(expected.size);
          expect(lines.flatMap(({ priceId, path }) => (priceId === null ? path : []))).toEqual(unpricedPaths);
          expect(lines.reduce((sum, { totalRequest }) => sum + Number(totalRequest), 0)).toBe(made.length);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('make the same lines in the same order, whatever the order of the usage', () => {
    fc.assert(
      fc.property(prices, requests, (all, made) => {
        const book = createPriceBook('USD', all);
        const usage = countWithin(
          made,
          priceSegments(book, PERIOD).map(({ from }) => from),
        );
        expect(rateUsage(book, usage.toReversed())).toEqual(rateUsage(book, usage));
      }),
    );
  });
});
