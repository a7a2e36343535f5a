/**
 * The model with which billing runs are compared. It takes one event after the other and rates it request by request, without sums,
 * segments, cutoffs or SQL. It is slow and obviously correct. Amounts are whole numbers (BigInt) of 10^-12 or of minor units.
 */

import {
  type KnownPrice,
  matchByHand,
  pricesWithin,
  rateRequestByRequest,
  roundTrillionths,
} from '../../metering/prices/prices.test-model.ts';
import { minorUnitDigits } from '../../platform/money/currencies.ts';
import { longHandRound } from '../../platform/money/money.test-model.ts';

/** `known` says when the event was reported: the run with number 3 includes the events with `known` up to 3. */
export type ModelEvent = { atMs: number; path: string; quantity: number; known: number };

/** An item that exists before the run `known`. `hundredths` of a minor unit are the price of one unit. A tax rate of null is the run's. */
export type ModelItem = { title: string; hundredths: number; quantity: number; taxRate: string | null; known: number };

/** Returns its amount in minor units, rounded once, half away from zero. */
export function costOfItem({ hundredths, quantity }: Pick<ModelItem, 'hundredths' | 'quantity'>): bigint {
  return longHandRound(writeDecimal(BigInt(hundredths * quantity), 2), 0);
}

/** A run for one company: the month, what is known by then, and the company's billing settings at that time. */
export type ModelRun = {
  month: string;
  known: number;
  currency: string;
  timezone: string;
  /** Percent. */
  taxRate: string;
  billsLateUsage: boolean;
};

export type ModelLine = {
  title: string;
  path: string;
  totalRequest: string;
  currency: string;
  amount: number;
  taxRate: string;
};
export type ModelInvoice = {
  startAt: string;
  endAt: string;
  currency: string;
  details: ModelLine[];
  /** By rate, the lowest first. */
  taxes: { rate: string; net: string; tax: string }[];
  subTotal: string;
  tax: string;
  total: string;
};

/**
 * The result of a run for a company. `credit` is what a bill below zero returns, tax included, as the API writes it.
 */
export type ModelOutcome = {
  month: string;
  invoice: ModelInvoice | null;
  credit: string | null;
  unpricedPaths: string[];
};

type Billed = {
  month: string;
  startMs: number;
  endMs: number;
  known: number;
  billsLateUsage: boolean;
  taxRate: string;
};

/**
 * Computes the result of each run in order for a company; null for a run that does nothing for it. Also computes how much of each path is
 * on no invoice.
 */
export function billByHand(
  prices: readonly KnownPrice[],
  events: readonly ModelEvent[],
  runs: readonly ModelRun[],
  items: readonly ModelItem[] = [],
): { outcomes: (ModelOutcome | null)[]; unbilled: ModelEvent[] } {
  const billed: Billed[] = [];
  const waiting = new Set(items);
  const outcomes = runs.map((run): ModelOutcome | null => {
    const last = billed.at(-1);
    const startMs = last?.endMs ?? startOfMonth(run.month, run.timezone);
    const endMs = startOfMonth(monthAfter(run.month), run.timezone);
    if (startMs >= endMs) return null;
    const ofCurrency = prices.filter(({ currency }) => currency === run.currency);
    const late = run.billsLateUsage
      ? billed.flatMap((one) => rateLate(pricesWithin(ofCurrency, one.month), events, one, billed, run))
      : [];
    const within = { startMs, endMs };
    const current = rate(pricesWithin(ofCurrency, run.month), known(events, within, run.known)).map((line) => ({
      ...line,
      title: titleOf(line),
      taxRate: run.taxRate,
    }));
    const usage = [...late, ...current];
    const taken = [...waiting].filter((item) => item.known <= run.known);
    for (const item of taken) waiting.delete(item);
    const lines = [...usage, ...taken.map((item) => lineOfItem(item, run))];
    const bill = lines.length === 0 ? null : addUp(lines, within, run);
    const unpricedPaths = new Set(usage.flatMap(({ price, path }) => (price === null ? [path] : [])));
    billed.push({ ...run, ...within });
    return {
      month: run.month,
      ...carryNegativeTotal(bill, lines, within, run),
      unpricedPaths: [...unpricedPaths].sort(),
    };
  });
  return { outcomes, unbilled: events.filter((event) => !isBilled(event, billed)) };
}

/** Checks each event by itself: it was known when its period was billed, or else the first later bill with late usage includes it. */
function isBilled(event: ModelEvent, billed: readonly Billed[]): boolean {
  const position = billed.findIndex(({ startMs, endMs }) => startMs <= event.atMs && event.atMs < endMs);
  if (position === -1) return false;
  const first = billed.findIndex((bill, index) => index >= position && event.known <= bill.known);
  return first === position || (billed[first]?.billsLateUsage ?? false);
}

function known(
  events: readonly ModelEvent[],
  { startMs, endMs }: Pick<Billed, 'startMs' | 'endMs'>,
  by: number,
): ModelEvent[] {
  return events.filter(({ atMs, known: since }) => startMs <= atMs && atMs < endMs && since <= by);
}

type Line = { price: KnownPrice | null; path: string; count: number; minor: bigint };
type TitledLine = Line & { title: string; taxRate: string };

function lineOfItem(item: ModelItem, run: ModelRun): TitledLine {
  const { title, quantity, taxRate } = item;
  return { title, price: null, path: '', count: quantity, minor: costOfItem(item), taxRate: taxRate ?? run.taxRate };
}

const titleOf = ({ price, path }: Line): string => price?.title ?? path;

/** Finds the price of each event, and rates the events of one version and one line request by request. */
function rate(prices: readonly KnownPrice[], events: readonly ModelEvent[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { path: requested, atMs, quantity } of events) {
    if (quantity === 0) continue;
    const price = matchByHand(prices, requested, new Date(atMs));
    const path = price?.pooled ? price.path : requested;
    const key = `${price?.id} ${path}`;
    const line = lines.get(key) ?? { price, path, count: 0, minor: 0n };
    lines.set(key, { ...line, count: line.count + quantity });
  }
  return [...lines.values()].map((line) => ({ ...line, minor: costOf(line) }));
}

function costOf({ price, count }: Line): bigint {
  if (price === null) return 0n;
  return roundTrillionths(rateRequestByRequest(price.plain, count), minorUnitDigits(price.currency));
}

/** Rates an earlier period with everything known now, and subtracts what it cost with everything that the last bill knew. */
function rateLate(
  prices: readonly KnownPrice[],
  events: readonly ModelEvent[],
  period: Billed,
  billed: readonly Billed[],
  run: ModelRun,
): TitledLine[] {
  const knownThen = billed.at(-1)?.known ?? 0;
  const before = rate(prices, known(events, period, knownThen));
  return rate(prices, known(events, period, run.known)).flatMap((line) => {
    const old = before.find(({ price, path }) => price?.id === line.price?.id && path === line.path);
    const count = line.count - (old?.count ?? 0);
    const title = `${titleOf(line)} (late usage of ${period.month})`;
    return count === 0
      ? []
      : [{ ...line, title, count, minor: line.minor - (old?.minor ?? 0n), taxRate: period.taxRate }];
  });
}

/**
 * Turns a negative bill into credit: no invoice is below zero, so one more line per tax rate makes it zero, and the amount with its tax
 * becomes credit.
 */
function carryNegativeTotal(
  bill: ModelInvoice | null,
  lines: readonly TitledLine[],
  within: Pick<Billed, 'startMs' | 'endMs'>,
  run: ModelRun,
): Pick<ModelOutcome, 'invoice' | 'credit'> {
  if (!bill?.total.startsWith('-')) return { invoice: bill, credit: null };
  const rates = [...new Set(lines.map(({ taxRate }) => taxRate))].sort((one, other) => Number(one) - Number(other));
  const back = rates.flatMap((taxRate): TitledLine[] => {
    const minor = -netOf(lines, taxRate);
    const line = { price: null, path: '/', count: 0, minor, title: 'Carried over to your credit', taxRate };
    return minor === 0n ? [] : [line];
  });
  return { invoice: addUp([...lines, ...back], within, run), credit: bill.total.slice(1) };
}

function netOf(lines: readonly TitledLine[], rate: string): bigint {
  return lines.reduce((sum, { minor, taxRate }) => (taxRate === rate ? sum + minor : sum), 0n);
}

function addUp(
  lines: readonly TitledLine[],
  { startMs, endMs }: { startMs: number; endMs: number },
  { currency }: ModelRun,
): ModelInvoice {
  const digits = minorUnitDigits(currency);
  const shownDigits = Math.max(2, digits);
  const show = (minor: bigint) => writeDecimal(minor * 10n ** BigInt(shownDigits - digits), shownDigits);
  const rates = [...new Set(lines.map(({ taxRate }) => taxRate))].sort((one, other) => Number(one) - Number(other));
  const byRate = rates.map((rate) => ({ rate, net: netOf(lines, rate), tax: taxByHand(netOf(lines, rate), rate) }));
  const subTotal = lines.reduce((sum, { minor }) => sum + minor, 0n);
  const tax = byRate.reduce((sum, one) => sum + one.tax, 0n);
  return {
    startAt: new Date(startMs).toISOString(),
    endAt: new Date(endMs).toISOString(),
    currency,
    details: lines.map(({ title, path, count, minor, taxRate }) => ({
      title,
      path,
      totalRequest: String(count),
      currency,
      amount: Number(writeDecimal(minor, digits)),
      taxRate,
    })),
    taxes: byRate.map((one) => ({ rate: one.rate, net: show(one.net), tax: show(one.tax) })),
    subTotal: show(subTotal),
    tax: show(tax),
    total: show(subTotal + tax),
  };
}

/** In 10^-(digits of the rate + 2) of a minor unit, rounded once. */
function taxByHand(netMinor: bigint, rate: string): bigint {
  const [whole = '', fraction = ''] = rate.split('.');
  return longHandRound(writeDecimal(netMinor * BigInt(whole + fraction), fraction.length + 2), 0);
}

/** Writes 12345n with 3 digits as 12.345. */
function writeDecimal(value: bigint, digits: number): string {
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0');
  const position = text.length - digits;
  return `${value < 0n ? '-' : ''}${text.slice(0, position)}${digits === 0 ? '' : `.${text.slice(position)}`}`;
}

const QUARTER_HOUR_MS = 900_000;
const dates = new Map<string, Intl.DateTimeFormat>();
const starts = new Map<string, number>();

/** Finds the first quarter of an hour at which the zone's calendar shows the month's first day, or a later one, by checking each. */
export function startOfMonth(month: string, timezone: string): number {
  const key = `${month} ${timezone}`;
  let atMs = starts.get(key) ?? Date.parse(`${month}-01T00:00:00Z`) - 36 * 3_600_000;
  while (dateAt(atMs, timezone) < `${month}-01`) atMs += QUARTER_HOUR_MS;
  starts.set(key, atMs);
  return atMs;
}

/** Writes a date like 2026-10-31. Swedish dates have this form. */
function dateAt(atMs: number, timezone: string): string {
  const format = dates.get(timezone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
  dates.set(timezone, format);
  return format.format(atMs);
}

/** Returns the next month: 2027-01 after 2026-12. */
export function monthAfter(month: string): string {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 7);
}
