import { randomUUID } from 'node:crypto';
import {
  createPriceBook,
  type Period,
  type Price,
  priceSegments,
} from '../server/src/metering/prices/rating/matching.ts';
import type { Rates } from '../server/src/metering/prices/rating/rating.ts';
import { rateUsage } from '../server/src/metering/prices/rating/usage.ts';
import { toDecimal } from '../server/src/platform/money/decimal.ts';
import { median, type Row } from './report.ts';
import type { Setting } from './setting.ts';

const INVOICES = 5_000;
const PATHS = 20;
/** What a billing run has to reach in all, with everything around the rating. */
const WANTED_INVOICES_PER_SECOND = 500;
const PERIOD: Period = { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') };

const TIERS = [100n, 10_000n, 1_000_000n, null].map((upTo, index) => ({
  upTo,
  unitAmount: toDecimal(`0.00${9 - index}123456789`),
  flatAmount: toDecimal('1.50'),
}));

const MODELS: Rates[] = [
  { model: 'flat', unitAmount: toDecimal('0.004123456789') },
  { model: 'package', packageAmount: toDecimal('5.00'), packageSize: 1_000n },
  { model: 'graduated', tiers: TIERS },
  { model: 'volume', tiers: TIERS },
];

/** One core rates months of 20 paths: all models, prefixes among the paths, a price change and an override. */
export async function benchRating({ rounds }: Setting): Promise<Row[]> {
  const rates = Array.from({ length: rounds }, invoicesPerSecond);
  const rate = median(rates);
  return [
    {
      name: `rating of ${PATHS} paths an invoice, one core`,
      ratio: rate / WANTED_INVOICES_PER_SECOND,
      bound: '≥',
      limit: 10,
      detail: `${Math.round(rate)} invoices/s, as ${WANTED_INVOICES_PER_SECOND} are wanted of a whole billing run`,
    },
  ];
}

function invoicesPerSecond(): number {
  const prices = makePrices();
  const start = performance.now();
  for (let invoice = 0; invoice < INVOICES; invoice += 1) {
    // As in a billing run, each company has prices of its own.
    const book = createPriceBook('USD', prices);
    const segments = priceSegments(book, PERIOD);
    const usage = segments.flatMap(({ from }) =>
      Array.from({ length: PATHS }, (_, path) => ({
        path: `/v1/path-${path}/x`,
        from,
        quantity: String(invoice * 97),
      })),
    );
    rateUsage(book, usage);
  }
  return (INVOICES / (performance.now() - start)) * 1_000;
}

function makePrices(): Price[] {
  const change = new Date('2026-10-15T00:00:00Z');
  const general = Array.from({ length: PATHS }, (_, number) => {
    const path = number % 2 === 0 ? `/v1/path-${number}/x` : `/v1/path-${number}*`;
    return makePrice(path, MODELS[number % MODELS.length] ?? { model: 'flat', unitAmount: toDecimal('1') });
  });
  const [first = makePrice('/*', { model: 'flat', unitAmount: toDecimal('1') }), ...others] = general;
  return [
    { ...first, effectiveTo: change },
    { ...first, id: randomUUID(), effectiveFrom: change },
    { ...first, id: randomUUID(), path: '/v1/path-3*', companyId: randomUUID() },
    ...others,
  ];
}

function makePrice(path: string, rates: Rates): Price {
  const owner = { id: randomUUID(), companyId: null, title: path, currency: 'USD' };
  return { ...owner, path, rates, freeRequests: 1_000n, pooled: false, effectiveFrom: new Date(0), effectiveTo: null };
}
