import type { BillingPeriod } from '../billing-periods/billing-periods.service.ts';
import type { Queryable } from '../database/database.ts';
import { addDecimals, formatDecimal, toDecimal } from '../money/decimal.ts';
import { findPrices, type PathUsage, priceSegments, type RatedLine, rateUsage } from '../prices/prices.service.ts';
import { sumUsage, sumUsageUntilNow } from '../usage/usage.service.ts';
import { type BilledPeriod, selectBilledPeriods } from './billing-runs.queries.ts';

/** What a company owes for a period, and what of it no price was found for. */
export type Bill = { lines: RatedLine[]; unpricedPaths: string[] };

export type BillRequest = {
  currency: string;
  period: BillingPeriod;
  /** Usage that stands up to this cutoff; null for all that is acknowledged by now. */
  upToCutoff: number | null;
  /** The last period that was billed, when what came in late for it and those before goes on this bill; else null. */
  last: BilledPeriod | null;
};

/** Computes what a company owes, and stores nothing. The same cutoff and prices give the same bill for ever. */
export async function computeBill(db: Queryable, companyId: string, request: BillRequest): Promise<Bill> {
  const current = await ratePeriod(db, companyId, request.currency, request.period, request.upToCutoff);
  const late = request.last === null ? [] : await rateLateUsage(db, companyId, request, request.last);
  const bills = [...late, current];
  return {
    lines: bills.flatMap(({ lines }) => lines),
    unpricedPaths: [...new Set(bills.flatMap(({ unpricedPaths }) => unpricedPaths))].sort(),
  };
}

async function ratePeriod(
  db: Queryable,
  companyId: string,
  currency: string,
  { startAt, endAt }: BillingPeriod,
  upToCutoff: number | null,
): Promise<Bill> {
  const book = await findPrices(db, companyId, currency, { from: startAt, to: endAt });
  const usage: PathUsage[] = [];
  for (const segment of priceSegments(book, { from: startAt, to: endAt })) {
    const sums = await sumUpTo(db, companyId, { ...segment, afterCutoff: 0 }, upToCutoff);
    usage.push(...sums.map((sum) => ({ ...sum, from: segment.from })));
  }
  return rateUsage(book, usage);
}

function sumUpTo(
  db: Queryable,
  companyId: string,
  period: { from: Date; to: Date; afterCutoff: number },
  upToCutoff: number | null,
): Promise<{ path: string; quantity: string }[]> {
  if (upToCutoff === null) return sumUsageUntilNow(db, companyId, period);
  return sumUsage(db, companyId, { ...period, upToCutoff });
}

/**
 * What came in, since the last period was billed, for periods that are billed already. Each is rated as a whole twice, with what
 * came late and without it, so that tiers and free requests go on where they stood; the difference is what is owed.
 */
async function rateLateUsage(
  db: Queryable,
  companyId: string,
  { currency, period, upToCutoff }: BillRequest,
  last: BilledPeriod,
): Promise<Bill[]> {
  const periods = await selectBilledPeriods(db, companyId);
  const from = periods[0]?.startAt ?? period.startAt;
  const sumLate = (start: Date, end: Date) =>
    sumUpTo(db, companyId, { from: start, to: end, afterCutoff: last.cutoff }, upToCutoff);
  if ((await sumLate(from, last.endAt)).length === 0) return [];
  const bills: Bill[] = [];
  for (const billed of periods) {
    if ((await sumLate(billed.startAt, billed.endAt)).length === 0) continue;
    const before = await ratePeriod(db, companyId, currency, billed, last.cutoff);
    const after = await ratePeriod(db, companyId, currency, billed, upToCutoff);
    const lines = subtractLines(after.lines, before.lines, billed.period);
    const paths = new Set(lines.map(({ path }) => path));
    bills.push({ lines, unpricedPaths: after.unpricedPaths.filter((path) => paths.has(path)) });
  }
  return bills;
}

/** The lines that came to be, or that changed, titled with the month that they belong to. */
function subtractLines(after: readonly RatedLine[], before: readonly RatedLine[], month: string): RatedLine[] {
  const keyOf = ({ priceId, path }: RatedLine) => `${priceId} ${path}`;
  const known = new Map(before.map((line) => [keyOf(line), line]));
  const differences = after.map((line) => {
    const old = known.get(keyOf(line));
    return {
      ...line,
      title: `${line.title} (late usage of ${month})`,
      totalRequest: String(BigInt(line.totalRequest) - BigInt(old?.totalRequest ?? '0')),
      amount: old === undefined ? line.amount : subtract(line.amount, old.amount),
    };
  });
  return differences.filter(({ totalRequest }) => totalRequest !== '0');
}

function subtract(amount: string, less: string): string {
  const { coefficient, scale } = toDecimal(less);
  return formatDecimal(addDecimals(toDecimal(amount), { coefficient: -coefficient, scale }));
}
