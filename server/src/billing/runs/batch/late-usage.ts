import { type PathUsage, type PriceBook, type RatedLine, rateUsage } from '../../../metering/prices/prices.service.ts';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  toDecimal,
} from '../../../platform/money/decimal.ts';
import type { RatedPeriod } from './billed-periods.queries.ts';

/** Usage with the prices that apply to it. */
export type RatedUse = { book: PriceBook; usage: readonly PathUsage[] };

/** All usage of a billed period, without the part that arrived late and with it. */
export type LateUsage = RatedPeriod & { before: RatedUse; after: RatedUse };

/**
 * What a person has to compare with an invoice that was written again after the database went back. `by` is net in major units.
 * - `less`: the month is worth that much less than its invoices took.
 * - `unclear`: late usage is worth that much, and what those invoices took of the month is not known.
 */
export type Doubt = { month: string; kind: 'less' | 'unclear'; by: string };

/** A line for usage of an earlier period. */
type LateLine = RatedLine & { kind: 'adjustment'; period: { startAt: string; endAt: string }; taxRate: string };

/** Rates a period with its late usage as a whole, and bills what that exceeds what its invoices took. */
export function rateLateUsage({ period: month, startAt, endAt, taxRate, taken, before, after }: LateUsage) {
  const [now, then] = [rateUsage(after.book, after.usage).lines, rateUsage(before.book, before.usage).lines];
  const differences = subtractLines(now, then, month);
  const { owed, doubts } = decideOwed(taken, { worth: sumLines(now), worthBefore: sumLines(then) });
  const period = { startAt: startAt.toISOString(), endAt: endAt.toISOString() };
  const owedLines = limitTo(owed, differences, month);
  const lines = owedLines.map((line): LateLine => ({ ...line, kind: 'adjustment', period, taxRate }));
  const unpricedPaths = differences.flatMap(({ priceId, path }) => (priceId === null ? [path] : []));
  return { lines, unpricedPaths, doubts: doubts.map((doubt): Doubt => ({ month, ...doubt })) };
}

type Owed = { owed: Decimal; doubts: Omit<Doubt, 'month'>[] };

/**
 * Decides what is owed for late usage. Usually invoices took what the usage before it is worth. Where one was written again, its usage may
 * be lost, and be sent again at any time: only what exceeds what the invoices took is owed. Until a run has billed the company since then,
 * nothing is given back: the usage that is here was not billed, it counted as billed.
 */
function decideOwed(
  taken: RatedPeriod['taken'],
  { worth, worthBefore }: Record<'worth' | 'worthBefore', Decimal>,
): Owed {
  if (taken === null) return { owed: subtract(worth, worthBefore), doubts: [] };
  const amount = toDecimal(taken.amount);
  const more = subtract(larger(worth, amount), larger(worthBefore, amount));
  const less = subtract(amount, worth);
  const doubts: Owed['doubts'] = isAboveZero(less) ? [{ kind: 'less', by: formatDecimal(less) }] : [];
  if (taken.isUnclear && isAboveZero(more)) doubts.push({ kind: 'unclear', by: formatDecimal(more) });
  const isOwed = !taken.isUnclear && (taken.isBilledSince || isAboveZero(more));
  return { owed: isOwed ? more : ZERO, doubts };
}

/** Takes off what was billed before, so that the lines come to what is owed. */
function limitTo(owed: Decimal, differences: RatedLine[], month: string): RatedLine[] {
  const amount = subtract(owed, sumLines(differences));
  const [first] = differences;
  if (first === undefined || compareDecimals(amount, ZERO) === 0) return differences;
  if (compareDecimals(owed, ZERO) === 0) return [];
  const title = `Billed before (late usage of ${month})`;
  return [
    ...differences,
    { ...first, title, path: '/', totalRequest: '0', amount: formatDecimal(amount), priceId: null },
  ];
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
      amount: old === undefined ? line.amount : formatDecimal(subtract(toDecimal(line.amount), toDecimal(old.amount))),
    };
  });
  return differences.filter(({ totalRequest }) => totalRequest !== '0');
}

const ZERO = toDecimal('0');

/** The sum of the lines, net in major units. */
export function sumLines(lines: readonly RatedLine[]): Decimal {
  return lines.map(({ amount }) => toDecimal(amount)).reduce(addDecimals, ZERO);
}

function subtract(amount: Decimal, { coefficient, scale }: Decimal): Decimal {
  return addDecimals(amount, { coefficient: -coefficient, scale });
}

function larger(one: Decimal, other: Decimal): Decimal {
  return compareDecimals(one, other) > 0 ? one : other;
}

function isAboveZero(amount: Decimal): boolean {
  return compareDecimals(amount, ZERO) > 0;
}
