import { type PricedUsage, type RatedLine, rateUsage, sumLines } from '../../../metering/prices/prices.service.ts';
import { formatDecimal, subtractDecimals, toDecimal } from '../../../platform/money/decimal.ts';
import type { RatedPeriod } from './billed-periods.queries.ts';
import { type Doubt, limitToUnbilled } from './restored-month.ts';

/** All usage of a billed period, without the part that arrived late and with it. */
export type LateUsage = RatedPeriod & { before: PricedUsage; after: PricedUsage };

/** A line for usage of an earlier period. */
type LateLine = RatedLine & { kind: 'adjustment'; period: { startAt: string; endAt: string }; taxRate: string };

/** Rates a period as a whole, with its late usage and without it, and bills the difference. */
export function rateLateUsage({ period: month, startAt, endAt, taxRate, taken, before, after }: LateUsage) {
  const [now, then] = [rateUsage(after.book, after.usage).lines, rateUsage(before.book, before.usage).lines];
  const differences = subtractLines(now, then, month);
  const worth = { worth: sumLines(now), worthBefore: sumLines(then) };
  const owed: { lines: RatedLine[]; doubts: Doubt[] } =
    taken === null ? { lines: differences, doubts: [] } : limitToUnbilled(month, taken, worth, differences);
  const period = { startAt: startAt.toISOString(), endAt: endAt.toISOString() };
  const lines = owed.lines.map((line): LateLine => ({ ...line, kind: 'adjustment', period, taxRate }));
  const unpricedPaths = differences.flatMap(({ priceId, path }) => (priceId === null ? [path] : []));
  return { lines, unpricedPaths, doubts: owed.doubts };
}

/** Returns the lines that are new or changed, titled with the month that they belong to. */
function subtractLines(after: readonly RatedLine[], before: readonly RatedLine[], month: string): RatedLine[] {
  const keyOf = ({ priceId, path }: RatedLine) => `${priceId} ${path}`;
  const known = new Map(before.map((line) => [keyOf(line), line]));
  const differences = after.map((line) => {
    const old = known.get(keyOf(line));
    return {
      ...line,
      title: `${line.title} (late usage of ${month})`,
      totalRequest: String(BigInt(line.totalRequest) - BigInt(old?.totalRequest ?? '0')),
      amount:
        old === undefined
          ? line.amount
          : formatDecimal(subtractDecimals(toDecimal(line.amount), toDecimal(old.amount))),
    };
  });
  return differences.filter(({ totalRequest }) => totalRequest !== '0');
}
