import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setBilling } from '../../../test/billing/billing.ts';
import { readLedger } from '../../../test/billing/credits.ts';
import { addItem, listItems } from '../../../test/billing/items.ts';
import { createPrice } from '../../../test/billing/prices.ts';
import { reportUsage, usageEvent } from '../../../test/billing/usage.ts';
import { type Actor, signUpAdmin } from '../../../test/customers/actors.ts';
import { propertyCases } from '../../../test/harness/property.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import {
  type KnownPrice,
  type ModelBound,
  type PlainPrice,
  plainPrice,
  requestedPath,
  toRatedPrice,
} from '../../metering/prices/prices.test-model.ts';
import { minorUnitDigits } from '../../platform/money/currencies.ts';
import {
  billByHand,
  costOfItem,
  type ModelEvent,
  type ModelItem,
  type ModelOutcome,
  monthAfter,
  startOfMonth,
} from './runs.test-model.ts';

const COMPANIES = 5;
const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 600_000;

let service: TestService;
let companies: Actor[];
beforeAll(async () => {
  service = await startTestService();
  companies = await Promise.all(Array.from({ length: COMPANIES }, () => signUpAdmin(service)));
});
afterAll(async () => service?.stop());

/**
 * Three months each, with difficult clock changes: on 1 October 2017, midnight is skipped in Asuncion, and half an hour in Lord Howe. On 1
 * November 2020, midnight occurs twice in Havana and one o'clock twice in New York. Apia has no 30 December 2011.
 */
const FIRST_MONTHS = ['2017-09', '2018-02', '2018-03', '2020-09', '2020-10', '2011-11', '2024-02', '2025-12'];
const ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Havana'],
  ...['America/Asuncion', 'Pacific/Apia', 'Pacific/Kiritimati', 'Etc/GMT+12', 'UTC'],
];
const RUNS = 3;
const PATTERNS = ['/a', '/a/b', '/a/b/c', '/*', '/a*', '/a/*', '/a/b*', '/d*'];
const CURRENCIES = ['JPY', 'USD', 'KWD'];

/** How a company is billed in one of the runs. */
const setting = fc.record({
  timezone: fc.constantFrom(...ZONES),
  taxRate: fc.oneof(
    fc.constantFrom('0', '19', '7.7', '100', '33.333', '0.005'),
    fc.integer({ max: 100, min: 0 }).map(String),
  ),
  billsLateUsage: fc.boolean(),
});

/** Mostly the same for all runs. Sometimes it changes in between. */
const settings = fc.oneof(
  { weight: 2, arbitrary: setting.map((one) => [one, one, one]) },
  { weight: 1, arbitrary: fc.array(setting, { minLength: RUNS, maxLength: RUNS }) },
);

/**
 * An instant near a change: near the start of month `month` in zone `zone`, the start of the price `price`, or a clock change of that zone;
 * or anywhere in these months.
 */
const moment = fc.oneof(
  fc.record({
    near: fc.constantFrom('month', 'price', 'clocks'),
    number: fc.nat({ max: 40 }),
    zone: fc.constantFrom(...ZONES),
    offsetMs: fc.constantFrom(-1, 0, 1, -900_000, 900_000, -HOUR_MS, HOUR_MS, 123_456_789),
  }),
  fc.record({ near: fc.constant('nothing'), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
);

/** Half of the prices have volume tiers, with which late usage may make a whole month cheaper. */
const plain = fc.oneof(
  plainPrice,
  plainPrice.map((price) =>
    price.rates.model === 'graduated' ? { ...price, rates: { ...price.rates, model: 'volume' as const } } : price,
  ),
);

/**
 * Free requests and limits of tiers are at most 30, packages 12, so that sums of such quantities equal them, and are below and above them.
 */
const quantity = fc.oneof(fc.constantFrom(1, 1, 2, 3, 5, 0), fc.integer({ min: 1, max: 31 }));

const drawnEvent = fc.record({
  company: fc.nat({ max: COMPANIES - 1 }),
  moment,
  path: requestedPath,
  quantity,
  /** The run before which the event is reported; RUNS means after all of them. */
  known: fc.oneof(fc.constant(0), fc.nat({ max: RUNS })),
  repeated: fc.boolean(),
  /** Further usage of the same path that is reported later, after some of it may have been billed. */
  more: fc.option(fc.record({ known: fc.integer({ min: 1, max: RUNS }), quantity })),
});

const drawnPrice = fc.record({
  path: fc.constantFrom(...PATTERNS),
  company: fc.option(fc.nat({ max: COMPANIES - 1 }), { freq: 3 }),
  currency: fc.constantFrom(...CURRENCIES),
  pooled: fc.boolean(),
  /** In hours from 1 January of the first month's year. Most are in force from the beginning. */
  beginsHours: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 365 * 24 })),
  lastsHours: fc.option(fc.integer({ min: 1, max: 3_000 }), { freq: 3 }),
  /** Instead of an hour: it begins with a month of each company, counted from January, and may end with one. */
  monthly: fc.option(
    fc.record({ begins: fc.integer({ min: 1, max: 14 }), lasts: fc.option(fc.integer({ min: 1, max: 3 })) }),
    { freq: 3 },
  ),
  plain,
});

/** A one-off item that is added before one of the runs. A third of them are credits. */
const drawnItem = fc.record({
  company: fc.nat({ max: COMPANIES - 1 }),
  known: fc.nat({ max: RUNS - 1 }),
  hundredths: fc.oneof(
    fc.integer({ min: 1, max: 5_000_000 }),
    fc.constantFrom(50, 150),
    fc.integer({ min: -5_000_000, max: -1 }),
  ),
  quantity: fc.integer({ min: 1, max: 7 }),
  taxRate: fc.option(fc.constantFrom('0', '7', '19')),
});

type Value<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Drawn = {
  firstMonth: string;
  currencies: string[];
  settings: { timezone: string; taxRate: string; billsLateUsage: boolean }[][];
  prices: Value<typeof drawnPrice>[];
  events: Value<typeof drawnEvent>[];
  items: Value<typeof drawnItem>[];
};

const drawn: fc.Arbitrary<Drawn> = fc.record({
  firstMonth: fc.constantFrom(...FIRST_MONTHS),
  currencies: fc.array(fc.constantFrom(...CURRENCIES), { minLength: COMPANIES, maxLength: COMPANIES }),
  settings: fc.array(settings, { minLength: COMPANIES, maxLength: COMPANIES }),
  prices: fc.uniqueArray(drawnPrice, {
    minLength: 14,
    maxLength: 30,
    size: 'max',
    selector: ({ path, company, currency, beginsHours, monthly }) =>
      `${path} ${company} ${currency} ${monthly === null ? beginsHours : `month ${monthly.begins}`}`,
  }),
  events: fc.array(drawnEvent, { minLength: 100, maxLength: 220, size: 'max' }),
  items: fc.array(drawnItem, { minLength: 4, maxLength: 16, size: 'max' }),
});

/** The drawn values, with instants instead of positions. */
type Story = {
  months: string[];
  prices: KnownPrice[];
  events: (ModelEvent & { company: number; repeated: boolean })[];
  items: (ModelItem & { company: number })[];
  /** By company, then by run. */
  settings: Drawn['settings'];
  currencies: string[];
};

function toStory({
  firstMonth,
  currencies,
  settings: drawnSettings,
  prices: drawnPrices,
  events,
  items,
}: Drawn): Story {
  const months = [firstMonth, monthAfter(firstMonth), monthAfter(monthAfter(firstMonth))];
  const prices = drawnPrices.map((one, index) => toKnownPrice(one, index, drawnPrices, firstMonth));
  const position = timestampWithin(months, prices);
  return {
    months,
    prices,
    currencies,
    settings: drawnSettings,
    items: items.flatMap((item, index) => (costOfItem(item) === 0n ? [] : [{ ...item, title: `Item ${index}` }])),
    events: events.flatMap(({ moment: at, more, ...event }) => {
      const placed = { ...event, atMs: position(at) };
      return more === null ? [placed] : [placed, { ...placed, ...more }];
    }),
  };
}

function toKnownPrice(
  price: Drawn['prices'][number],
  index: number,
  all: Drawn['prices'],
  firstMonth: string,
): KnownPrice {
  const { path, company, currency, plain } = price;
  const year = Number(firstMonth.slice(0, 4));
  const hour = (hours: number): ModelBound => ({ atMs: Date.UTC(year, 0, 1) + hours * HOUR_MS, month: null });
  const month = (number: number): ModelBound => {
    const atMs = Date.UTC(year, number, 1);
    return { atMs, month: new Date(atMs).toISOString().slice(0, 7) };
  };
  const beginOf = ({ monthly, beginsHours }: typeof price) =>
    monthly === null ? hour(beginsHours) : month(monthly.begins);
  const endOf = ({ monthly, beginsHours, lastsHours }: typeof price): ModelBound[] => {
    if (monthly !== null) return monthly.lasts === null ? [] : [month(monthly.begins + monthly.lasts)];
    return lastsHours === null ? [] : [hour(beginsHours + lastsHours)];
  };
  const from = beginOf(price);
  const versions = all.filter((one) => one.path === path && one.company === company && one.currency === currency);
  const later = versions.map(beginOf).filter(({ atMs }) => atMs > from.atMs);
  const next = later.toSorted((one, other) => one.atMs - other.atMs).slice(0, 1);
  const ends = [...endOf(price), ...next];
  return {
    ...toRatedPrice(plain),
    ...{ plain, path, currency, id: `price-${index}`, title: `Title ${index}` },
    companyId: company === null ? null : (companies[company]?.companyId ?? ''),
    pooled: price.pooled && path.endsWith('*'),
    effectiveFrom: new Date(from.atMs),
    effectiveTo: ends.length === 0 ? null : new Date(Math.min(...ends.map(({ atMs }) => atMs))),
    bounds: { from, ends },
  };
}

function timestampWithin(months: string[], prices: KnownPrice[]): (at: Drawn['events'][number]['moment']) => number {
  const bounds = [...months, monthAfter(months.at(-1) ?? '')];
  const firstMs = startOfMonth(bounds[0] ?? '', 'UTC') - 2 * 24 * HOUR_MS;
  const lastMs = startOfMonth(bounds.at(-1) ?? '', 'UTC') + 2 * 24 * HOUR_MS;
  const pick = <T>(values: readonly T[], number: number): T | undefined => values[number % values.length];
  return (at) => {
    if (!('number' in at)) return Math.floor(firstMs + at.part * (lastMs - firstMs));
    const places = {
      month: () => bounds.map((month) => startOfMonth(month, at.zone)),
      price: () => prices.map(({ effectiveFrom, effectiveTo }) => (effectiveTo ?? effectiveFrom).getTime()),
      clocks: () => changesOfClocks(at.zone, firstMs, lastMs),
    }[at.near as 'month' | 'price' | 'clocks']();
    return (pick(places, at.number) ?? firstMs) + at.offsetMs;
  };
}

/** Returns the clock changes of a zone, to the quarter of an hour. */
function changesOfClocks(timeZone: string, fromMs: number, toMs: number): number[] {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const offsetAt = (ms: number) => Date.parse(`${clock.format(ms)}Z`) - ms;
  const changes: number[] = [];
  for (let day = fromMs; day < toMs; day += 24 * HOUR_MS) {
    const end = day + 24 * HOUR_MS;
    if (offsetAt(day) === offsetAt(end)) continue;
    for (let ms = day; ms < end; ms += 900_000) if (offsetAt(ms) !== offsetAt(ms + 900_000)) changes.push(ms + 900_000);
  }
  return changes;
}

/**
 * Deletes all usage, prices, invoices and postings, and keeps the companies. A month's invoice then has the same id
 * again.
 */
async function clearBilling(): Promise<void> {
  await service.database.owner`
    TRUNCATE usage_events, usage_event_keys, usage_deltas, usage_hours, usage_days, prices, billing_runs, billed_periods, invoices,
             number_series, invoice_counts, invoice_sums, invoice_sum_changes,
             credit_entries, credit_balances, items, ledger_postings CASCADE`;
}

async function setPrices(prices: KnownPrice[]): Promise<void> {
  for (const price of prices.toSorted((one, other) => one.effectiveFrom.getTime() - other.effectiveFrom.getTime())) {
    const { path, companyId, currency, title, pooled, bounds } = price;
    const write = ({ atMs, month }: ModelBound) => month ?? new Date(atMs).toISOString();
    const [end] = bounds?.ends.toSorted((one, other) => one.atMs - other.atMs) ?? [];
    await createPrice(service, {
      ...{ path, companyId, currency, title, pooled, tiers: undefined, ...ratesOf(price.plain) },
      effectiveFrom: write(bounds?.from ?? expect.fail('no bounds')),
      ...(end === undefined ? {} : { effectiveTo: write(end) }),
    });
  }
}

const ratesOf = ({ rates, freeRequests }: PlainPrice): object => ({ ...rates, freeRequests });

/** Reports the events in batches, with repeats among them and one batch sent twice. */
async function report(events: Story['events']): Promise<void> {
  const all = events.map(({ company, atMs, path, quantity: count }) =>
    usageEvent(companies[company]?.companyId ?? '', {
      time: new Date(atMs).toISOString(),
      data: { path, quantity: count },
    }),
  );
  const repeats = all.filter((_, index) => events[index]?.repeated);
  for (const [batch, accepted] of [
    [[...all, ...repeats], all.length],
    [repeats, 0],
  ] as const) {
    if (batch.length === 0) continue;
    expect(await reportUsage(service, batch)).toMatchObject({ accepted, rejected: 0 });
  }
}

async function addItems(items: Story['items'], currencies: string[]): Promise<void> {
  for (const { company, title, hundredths, quantity, taxRate } of items) {
    const scale = minorUnitDigits(currencies[company] ?? '') + 2;
    const digits = String(Math.abs(hundredths)).padStart(scale + 1, '0');
    const unitAmount = `${hundredths < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    const body = { title, amount: undefined, unitAmount, quantity, ...(taxRate === null ? {} : { taxRate }) };
    await addItem(service, companies[company]?.companyId ?? '', body);
  }
}

type Report = { status: string; invoices: number; failures: number; unpricedPaths: unknown };

/** Returns the invoice of a closed month as the company and the operator preview it; null if the month is billed already. */
async function preview({ companyId, token }: Actor, month: string): Promise<ModelOutcome['invoice']> {
  const query = `upcoming-invoice?period=${month}`;
  const answer = await service.call('GET', `/payments/${query}`, { token });
  const operators = await service.call('GET', `/operator/companies/${companyId}/${query}`, {
    token: service.operatorKey,
  });
  expect([operators.status, operators.body.total]).toEqual([answer.status, answer.body.total]);
  if (answer.status === 200) return answer.body;
  expect(answer.body.error.code).toBe('period_billed');
  return null;
}

type Issued = { id: string; details: { kind: string; itemId?: string }[] };

/** The runs' reports, and for each company the preview just before each run. */
type Lived = { reports: Report[]; previews: ModelOutcome['invoice'][][] };

/** Runs the story through the service: reports, runs, and so on. */
async function live({ months, prices, events, items, settings: bySettings, currencies }: Story): Promise<Lived> {
  await clearBilling();
  await setPrices(prices);
  const reports: Report[] = [];
  const previews: Lived['previews'] = companies.map(() => []);
  for (const [run, month] of months.entries()) {
    await report(events.filter(({ known }) => known === run));
    for (const [company, admin] of companies.entries()) {
      const { billsLateUsage, ...others } = bySettings[company]?.[run] ?? expect.fail('no settings');
      const lateUsage = { kind: billsLateUsage ? 'next_invoice' : 'ignore' };
      await setBilling(service, admin, { ...others, currency: currencies[company], lateUsage });
    }
    await addItems(
      items.filter(({ known }) => known === run),
      currencies,
    );
    for (const [company, admin] of companies.entries()) previews[company]?.push(await preview(admin, month));
    reports.push(await runMonth(service, month));
  }
  await report(events.filter(({ known }) => known === RUNS));
  return { reports, previews };
}

/** Computes the outcome of each run for each company with the model. */
function predict({
  months,
  prices,
  events,
  items,
  settings: bySettings,
  currencies,
}: Story): (ModelOutcome | null)[][] {
  return companies.map(({ companyId }, company) => {
    const own = prices.filter((price) => price.companyId === null || price.companyId === companyId);
    const runs = months.map((month, known) => ({
      ...{ month, known, currency: currencies[company] ?? '' },
      ...(bySettings[company]?.[known] ?? expect.fail('no settings')),
    }));
    const ofCompany = events.filter((event) => event.company === company);
    const itemsOfCompany = items.filter((item) => item.company === company);
    const { outcomes, unbilled } = billByHand(own, ofCompany, runs, itemsOfCompany);
    expectNothingLost(outcomes, ofCompany, unbilled);
    return outcomes;
  });
}

/** Checks the model itself: what is on no invoice is the rest. */
function expectNothingLost(outcomes: (ModelOutcome | null)[], events: ModelEvent[], unbilled: ModelEvent[]): void {
  const lines = outcomes.flatMap((outcome) => outcome?.invoice?.details ?? []);
  const ofUsage = lines.filter(({ title }) => !title.startsWith('Item '));
  const billed = ofUsage.reduce((sum, { totalRequest }) => sum + Number(totalRequest), 0);
  const add = (all: ModelEvent[]) => all.reduce((sum, event) => sum + event.quantity, 0);
  expect(billed + add(unbilled)).toBe(add(events));
}

function predictReport(outcomes: (ModelOutcome | null)[]): Report {
  const paths = outcomes.flatMap((outcome) => outcome?.unpricedPaths ?? []);
  return {
    status: 'done',
    invoices: outcomes.filter((outcome) => outcome?.invoice).length,
    failures: 0,
    unpricedPaths: [...new Set(paths)]
      .sort()
      .map((path) => ({ path, companies: paths.filter((other) => other === path).length })),
  };
}

const byText = <T>(values: T[]): T[] =>
  values.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

/** The fields of an invoice that the model computes, with the lines in any order. */
const asModel = ({
  startAt,
  endAt,
  currency,
  details,
  taxes,
  subTotal,
  tax,
  total,
}: ModelOutcome['invoice'] & object) => ({
  ...{ startAt, endAt, currency, taxes, subTotal, tax, total },
  details: byText(
    details.map(({ title, path, totalRequest, currency: of, amount, taxRate }) => {
      return { title, path, totalRequest, currency: of, amount, taxRate };
    }),
  ),
});

describe('whole billing runs', () => {
  it(
    'issue exactly the invoices that the model computes event by event, to the last minor unit',
    async () => {
      const seen = { invoices: 0, items: 0, lateLines: 0, negativeLines: 0, credits: 0, severalRates: 0 };
      await fc.assert(
        fc.asyncProperty(drawn, async (given) => {
          const story = toStory(given);
          const expected = predict(story);
          const { reports, previews } = await live(story);
          for (const [run, said] of reports.entries()) {
            const { status, invoices, failures, unpricedPaths } = said;
            const outcomes = expected.map((byRun) => byRun[run] ?? null);
            expect({ status, invoices, failures, unpricedPaths }).toEqual(predictReport(outcomes));
          }
          const numbers: string[] = [];
          for (const [company, admin] of companies.entries()) {
            const invoices = await invoicesOf(service, admin);
            const byHand = (expected[company] ?? []).flatMap((outcome) => outcome?.invoice ?? []);
            expect(invoices.map(asModel)).toEqual(byHand.map(asModel));
            numbers.push(...invoices.map(({ number }: { number: string }) => number));
            const { data } = await readLedger(service, admin.companyId);
            const credits = (expected[company] ?? []).flatMap((outcome) => outcome?.credit ?? []);
            expect(data.map(({ amount }: { amount: string }) => amount)).toEqual(credits.toReversed());
            await expectItemsTaken(admin, invoices);
            expectForeseen(previews[company] ?? [], expected[company] ?? [], invoices);
            note(seen, expected[company] ?? []);
          }
          expect(numbers.sort()).toEqual(numbers.map((_, index) => `INV-${String(index + 1).padStart(6, '0')}`));
        }),
        propertyCases(4),
      );
      // Without this, the property could hold because the cases are trivial.
      for (const count of [seen.invoices, seen.items, seen.lateLines]) expect(count).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  /** Each item is on the invoice that it names, once, and nothing else is. */
  async function expectItemsTaken({ companyId }: Actor, invoices: Issued[]): Promise<void> {
    const { data } = await listItems(service, companyId, '?perPage=1000&state=invoiced');
    const onInvoices = invoices.flatMap(({ id, details }) =>
      details.flatMap(({ kind, itemId }) => (kind === 'item' ? [`${itemId} ${id}`] : [])),
    );
    expect(onInvoices.sort()).toEqual(
      data.map((item: Record<string, string>) => `${item.id} ${item.invoiceId}`).sort(),
    );
  }

  /** Compares each preview with the issued invoice, line by line in order and to the cent. */
  function expectForeseen(
    previews: ModelOutcome['invoice'][],
    outcomes: (ModelOutcome | null)[],
    invoices: (ModelOutcome['invoice'] & object)[],
  ): void {
    const issued = invoices.values();
    for (const [run, outcome] of outcomes.entries()) {
      const foreseen = previews[run] ?? null;
      if (outcome === null) expect(foreseen).toBeNull();
      else if (outcome.invoice === null) expect(foreseen?.details).toEqual([]);
      else {
        const { startAt, endAt, currency, details, taxes, subTotal, tax, total } =
          issued.next().value ?? expect.fail('no invoice');
        expect(foreseen).toMatchObject({ startAt, endAt, currency, details, taxes, subTotal, tax, total });
      }
    }
  }

  function note(
    seen: Record<'invoices' | 'items' | 'lateLines' | 'negativeLines' | 'credits' | 'severalRates', number>,
    outcomes: (ModelOutcome | null)[],
  ): void {
    const lines = outcomes.flatMap((outcome) => outcome?.invoice?.details ?? []);
    seen.invoices += outcomes.filter((outcome) => outcome?.invoice).length;
    seen.items += lines.filter(({ title }) => title.startsWith('Item ')).length;
    seen.lateLines += lines.filter(({ title }) => title.includes('late usage')).length;
    seen.negativeLines += lines.filter(({ amount }) => amount < 0).length;
    seen.severalRates += outcomes.filter((outcome) => (outcome?.invoice?.taxes.length ?? 0) > 1).length;
    seen.credits += outcomes.filter((outcome) => outcome?.credit != null).length;
  }
});
