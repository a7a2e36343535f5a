import {
  type PeriodToPrice,
  type PricedUsage,
  type RatedLine,
  rateUsage,
  readPricedUsage,
} from '../../../metering/prices/prices.service.ts';
import { filterUsed } from '../../../metering/usage/usage.service.ts';
import type { BillingPeriod } from '../../../platform/calendar/billing-periods.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { formatDecimal } from '../../../platform/money/decimal.ts';
import { computeTotals, fromMinor, type RateTotals } from '../../../platform/money/money.ts';
import { type BillableItem, type ItemChoice, readItemsToBill } from '../../items/items.service.ts';
import { selectBilledPeriodsOfMany } from './batch.worker.queries.ts';
import type { BilledPeriod, RatedPeriod } from './billed-periods.queries.ts';
import { type LateUsage, rateLateUsage } from './late-usage.ts';
import type { Doubt } from './restored-month.ts';

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
  const [computed] = await loadBills(db, [{ request: { ...request, companyId } }]);
  if (computed === undefined) throw new RangeError('A request for one bill got none.');
  return rateBill(computed.basis);
}

export type CompanyBillRequest = BillRequest & { companyId: string };

/** Everything that a bill is computed from. */
export type BillBasis = {
  currency: string;
  taxRate: string;
  current: PricedUsage;
  /** For each period with late usage: all its usage, without the late part and with it. */
  late: LateUsage[];
  items: readonly BillableItem[];
};

/** Loads the basis of many bills, with as many queries as for one. @returns what was given, each with its basis */
export async function loadBills<Due extends { request: CompanyBillRequest }>(
  db: Queryable,
  due: readonly Due[],
): Promise<(Due & { basis: BillBasis })[]> {
  const requests = due.map(({ request }) => request);
  const [late, items] = await Promise.all([findLatePeriods(db, requests), readItemsToBill(db, requests)]);
  const needed = requests.map((request) => listPeriods(request, late.get(request.companyId) ?? []));
  const usageOf = await readPricedUsage(db, needed.flatMap(periodsOf));
  return due.map((one, index) => {
    const { currency, taxRate, lateAtOwnRate = true } = one.request;
    const { current, late: latePeriods } = needed[index] ?? refuseMissing();
    const basis = {
      currency,
      taxRate,
      current: usageOf(current),
      late: latePeriods.map(({ billed, before, after }) => ({
        ...billed,
        taxRate: lateAtOwnRate ? billed.taxRate : taxRate,
        before: usageOf(before),
        after: usageOf(after),
      })),
      items: items[index] ?? [],
    };
    return { ...one, basis };
  });
}

function refuseMissing(): never {
  throw new RangeError('A bill has no periods.');
}

type NeededPeriods = {
  current: PeriodToPrice;
  late: readonly { billed: RatedPeriod; before: PeriodToPrice; after: PeriodToPrice }[];
};

function periodsOf({ current, late }: NeededPeriods): PeriodToPrice[] {
  return [current, ...late.flatMap(({ before, after }) => [before, after])];
}

/** Lists the periods whose usage a bill needs: the billed one, and twice each one with late usage, before that usage arrived and after. */
function listPeriods(
  { companyId, currency, month, period, upToCutoff, last }: CompanyBillRequest,
  late: readonly RatedPeriod[],
): NeededPeriods {
  return {
    current: { companyId, currency, month, ...period, upToCutoff },
    late: late.map((billed) => {
      const { period: billedMonth, startAt, endAt } = billed;
      const whole = { companyId, currency, month: billedMonth, startAt, endAt };
      return { billed, before: { ...whole, upToCutoff: last?.cutoff ?? 0 }, after: { ...whole, upToCutoff } };
    }),
  };
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
  const withRequests = periods.flatMap((period) => {
    const request = byCompany.get(period.companyId);
    // When an old bill is computed again, later periods have been billed since.
    if (request === undefined || period.endAt > request.last.endAt) return [];
    return [{ ...request, from: period.startAt, to: period.endAt, period }];
  });
  const late = await filterUsed(db, withRequests);
  return new Map(
    [...Map.groupBy(late, ({ companyId }) => companyId)].map(([companyId, found]) => [
      companyId,
      found.map(({ period }) => period),
    ]),
  );
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

function rateCurrentUsage({ book, usage }: PricedUsage, taxRate: string): Omit<Bill, 'carriedOver'> {
  const { lines, unpricedPaths } = rateUsage(book, usage);
  return { lines: lines.map((line) => ({ ...line, kind: 'usage', taxRate })), unpricedPaths, doubts: [] };
}
