import {
  type FindBook,
  findPricesOfMany,
  type PathUsage,
  type PriceBook,
  priceSegments,
  type RatedLine,
  rateUsage,
} from '../../../metering/prices/prices.service.ts';
import { filterUsed, sumUsageOfMany } from '../../../metering/usage/usage.service.ts';
import type { BillingPeriod } from '../../../platform/calendar/billing-periods.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { type Decimal, formatDecimal } from '../../../platform/money/decimal.ts';
import { computeTotals, fromMinor, type RateTotals } from '../../../platform/money/money.ts';
import { type BillableItem, type ItemChoice, readItemsToBill } from '../../items/items.service.ts';
import { selectBilledPeriodsOfMany } from './batch.worker.queries.ts';
import type { BilledPeriod, RatedPeriod } from './billed-periods.queries.ts';
import { type Doubt, type LateUsage, type RatedUse, rateLateUsage, sumLines } from './late-usage.ts';

/** What a company owes for a period, and the usage without a price. The sum of its lines is never below zero. */
export type Bill = {
  lines: BillLine[];
  unpricedPaths: string[];
  /**
   * The amount by which late usage that became cheaper, or items, exceed the rest of the bill, and its tax. The last lines remove it from
   * this bill, and it becomes credit. Null when there is none.
   */
  carriedOver: { amountMinor: bigint; taxMinor: bigint } | null;
  /** What a person has to compare with invoices that were written again. */
  doubts: Doubt[];
};

/** A line with its origin: usage of the billed period, usage of an earlier period, or a one-off item. */
type BillLine = RatedLine & { taxRate: string } & (
    | { kind: 'usage' }
    | { kind: 'adjustment'; period: { startAt: string; endAt: string } }
    | { kind: 'item'; itemId: string; unitAmount: string }
    | { kind: 'carry_over' }
  );

export type BillRequest = {
  /** The month of the period, such as 2026-10. */
  month: string;
  currency: string;
  /** In percent: the rate for usage of the period. */
  taxRate: string;
  period: BillingPeriod;
  /** Usage up to this cutoff; null for everything that is acknowledged by now. */
  upToCutoff: number | null;
  /** The last billed period, when this bill includes usage that arrived late for it and earlier ones; else null. */
  last: BilledPeriod | null;
  items: ItemChoice;
  /** False for a bill from before late usage had the rate of its own period: then it has the bill's. */
  lateAtOwnRate?: boolean;
};

/** Computes what a company owes, and stores nothing. The same cutoff and prices always give the same bill. */
export async function computeBill(db: Queryable, companyId: string, request: BillRequest): Promise<Bill> {
  const [basis] = await loadBills(db, [{ ...request, companyId }]);
  if (basis === undefined) throw new RangeError('A request for one bill got none.');
  return rateBill(basis);
}

export type CompanyBillRequest = BillRequest & { companyId: string };

/** Everything that a bill is computed from. */
export type BillBasis = {
  currency: string;
  taxRate: string;
  current: RatedUse;
  /** For each period with late usage: all its usage, without the late part and with it. */
  late: LateUsage[];
  items: readonly BillableItem[];
};

/** Loads the basis of many bills, with as many queries as for one. @returns in the order of the requests */
export async function loadBills(db: Queryable, requests: readonly CompanyBillRequest[]): Promise<BillBasis[]> {
  const [late, items] = await Promise.all([findLatePeriods(db, requests), readItemsToBill(db, requests)]);
  const stretches = requests.flatMap(({ companyId, currency, month, period, upToCutoff, last }) => [
    { companyId, currency, month, ...period, upToCutoff },
    ...(late.get(companyId) ?? []).flatMap(({ period: of, startAt, endAt }) => [
      { companyId, currency, month: of, startAt, endAt, upToCutoff: last?.cutoff ?? 0 },
      { companyId, currency, month: of, startAt, endAt, upToCutoff },
    ]),
  ]);
  const uses = (await loadUses(db, stretches)).values();
  const next = (): RatedUse => uses.next().value ?? refuseMissing();
  return requests.map(({ companyId, currency, taxRate, lateAtOwnRate = true }, index) => ({
    currency,
    taxRate,
    current: next(),
    late: (late.get(companyId) ?? []).map((period) => ({
      ...period,
      taxRate: lateAtOwnRate ? period.taxRate : taxRate,
      before: next(),
      after: next(),
    })),
    items: items[index] ?? [],
  }));
}

function refuseMissing(): never {
  throw new RangeError('A part of a billing period has no usage result.');
}

/** Finds, by company, the billed periods with usage that arrived after the last of them was billed. */
async function findLatePeriods(
  db: Queryable,
  requests: readonly CompanyBillRequest[],
): Promise<Map<string, RatedPeriod[]>> {
  const asked = requests.flatMap(({ companyId, upToCutoff, last }) =>
    last === null ? [] : [{ companyId, from: new Date(0), to: last.endAt, afterCutoff: last.cutoff, upToCutoff, last }],
  );
  const used = await filterUsed(db, asked);
  if (used.length === 0) return new Map();
  const byCompany = new Map(used.map((request) => [request.companyId, request]));
  const periods = await selectBilledPeriodsOfMany(
    db,
    used.map(({ companyId, afterCutoff }) => ({ companyId, cutoff: afterCutoff })),
  );
  const stretches = periods.flatMap((period) => {
    const request = byCompany.get(period.companyId);
    // When an old bill is computed again, later periods have been billed since.
    if (request === undefined || period.endAt > request.last.endAt) return [];
    return [{ ...request, from: period.startAt, to: period.endAt, period }];
  });
  const late = await filterUsed(db, stretches);
  return new Map(
    [...Map.groupBy(late, ({ companyId }) => companyId)].map(([companyId, found]) => [
      companyId,
      found.map(({ period }) => period),
    ]),
  );
}

type Stretch = BillingPeriod & { companyId: string; currency: string; month: string; upToCutoff: number | null };

/** What the company's usage of a period up to a cutoff is worth, net in major units. */
export async function rateUsageUpTo(db: Queryable, stretch: Stretch): Promise<Decimal> {
  const [worth = refuseMissing()] = await rateUsagesUpTo(db, [stretch]);
  return worth;
}

/** The same of several periods, in their order. */
export async function rateUsagesUpTo(db: Queryable, stretches: readonly Stretch[]): Promise<Decimal[]> {
  if (stretches.length === 0) return [];
  return (await loadUses(db, stretches)).map(({ book, usage }) => sumLines(rateUsage(book, usage).lines));
}

/** Reads the prices and the usage of each stretch, in their order: prices with one query for each currency, all usage with one. */
async function loadUses(db: Queryable, stretches: readonly Stretch[]): Promise<RatedUse[]> {
  const books = await findBooks(db, stretches);
  const parts = stretches.flatMap(({ companyId, startAt, endAt, upToCutoff }, index) =>
    priceSegments(books[index] ?? refuseMissing(), { from: startAt, to: endAt }).map((segment) => ({
      ...segment,
      companyId,
      afterCutoff: 0,
      upToCutoff,
      index,
    })),
  );
  const uses = books.map((book): RatedUse & { usage: PathUsage[] } => ({ book, usage: [] }));
  const sums = await sumUsageOfMany(db, parts);
  for (const [position, { index, from }] of parts.entries()) {
    for (const { path, quantity } of sums[position] ?? []) uses[index]?.usage.push({ path, quantity, from });
  }
  return uses;
}

/** One span of time serves all stretches, since prices that are not in force within a stretch do not affect it. */
async function findBooks(db: Queryable, stretches: readonly Stretch[]): Promise<PriceBook[]> {
  const books = new Map<string, FindBook>();
  for (const [currency, ofCurrency] of Map.groupBy(stretches, (stretch) => stretch.currency)) {
    const companyIds = [...new Set(ofCurrency.map(({ companyId }) => companyId))];
    const from = new Date(Math.min(...ofCurrency.map(({ startAt }) => startAt.getTime())));
    const to = new Date(Math.max(...ofCurrency.map(({ endAt }) => endAt.getTime())));
    books.set(currency, await findPricesOfMany(db, companyIds, currency, { from, to }));
  }
  return stretches.map(({ companyId, currency, month }) => books.get(currency)?.(companyId, month) ?? refuseMissing());
}

/**
 * Applies the rules of a bill, without reading anything. Late usage belongs to periods that are billed already. Each such period is rated
 * as a whole twice, with and without the late usage, so that tiers and free requests continue where they were; the difference is owed, at
 * the tax rate of its period. Volume tiers can make that difference negative, and an item can be negative; a bill never is.
 */
export function rateBill({ currency, taxRate, current, late, items }: BillBasis): Bill {
  const bills = [...late.map(rateLateUsage), rateCurrentUsage(current, taxRate)];
  const lines = [...bills.flatMap((bill) => bill.lines), ...items.map((item) => itemLine(item, taxRate))];
  const unpricedPaths = [...new Set(bills.flatMap((bill) => bill.unpricedPaths))].sort();
  const { byRate, totalMinor, taxMinor } = computeTotals(lines, taxRate, currency);
  const doubts = bills.flatMap((bill) => bill.doubts);
  if (totalMinor >= 0n) return { lines, unpricedPaths, doubts, carriedOver: null };
  const carried = byRate.flatMap((of) => (of.netMinor === 0n ? [] : [carryOverLine(currency, of)]));
  const carriedOver = { amountMinor: -totalMinor, taxMinor: -taxMinor };
  return { lines: [...lines, ...carried], unpricedPaths, doubts, carriedOver };
}

/** Adds a line that brings the sum of a tax rate's lines to zero. */
function carryOverLine(currency: string, { rate, netMinor }: RateTotals): BillLine {
  const title = 'Carried over to your credit';
  const amount = formatDecimal(fromMinor(-netMinor, currency));
  return { kind: 'carry_over', title, path: '/', totalRequest: '0', currency, amount, priceId: null, taxRate: rate };
}

function itemLine(
  { id, title, quantity, currency, amount, unitAmount, taxRate }: BillableItem,
  rate: string,
): BillLine {
  const line = { title, path: '', totalRequest: String(quantity), currency, amount, priceId: null };
  return { kind: 'item', ...line, taxRate: taxRate ?? rate, itemId: id, unitAmount };
}

function rateCurrentUsage({ book, usage }: RatedUse, taxRate: string): Omit<Bill, 'carriedOver'> {
  const { lines, unpricedPaths } = rateUsage(book, usage);
  return { lines: lines.map((line) => ({ ...line, kind: 'usage', taxRate })), unpricedPaths, doubts: [] };
}
