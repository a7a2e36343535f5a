import { insertAlert } from '../../../alerts/alerts.service.ts';
import { type RatedLine, sumLines } from '../../../metering/prices/prices.service.ts';
import type { Tx } from '../../../platform/database/database.ts';
import {
  compareDecimals,
  type Decimal,
  formatDecimal,
  subtractDecimals,
  toDecimal,
} from '../../../platform/money/decimal.ts';
import type { RatedPeriod } from './billed-periods.queries.ts';

/*
 * Late usage of a month with an invoice that was written again after the database went back. Some of the usage that the invoice took may be
 * lost, and may be sent again at any time.
 */

type Taken = NonNullable<RatedPeriod['taken']>;

/**
 * What a person has to compare with an invoice that was written again after the database went back. `by` is net in major units.
 * - `less`: the month is worth that much less than its invoices took.
 * - `unclear`: late usage is worth that much, and what those invoices took of the month is not known.
 */
export type Doubt = { month: string; kind: 'less' | 'unclear'; by: string };

/**
 * Limits the lines for late usage to what the month's invoices have not taken: only what exceeds that is owed. Until a run has billed the
 * company since one was written again, nothing is credited: the usage that is here was not billed, it counted as billed.
 * @param worth - of the month's usage, with and without the late part; net in major units
 * @param differences - the lines that usage makes of the late part
 */
export function limitToUnbilled(
  month: string,
  { amount, isUnclear, isBilledSince }: Taken,
  { worth, worthBefore }: Record<'worth' | 'worthBefore', Decimal>,
  differences: RatedLine[],
): { lines: RatedLine[]; doubts: Doubt[] } {
  const taken = toDecimal(amount);
  const more = subtractDecimals(larger(worth, taken), larger(worthBefore, taken));
  const less = subtractDecimals(taken, worth);
  const doubts: Doubt[] = isAboveZero(less) ? [{ month, kind: 'less', by: formatDecimal(less) }] : [];
  if (isUnclear && isAboveZero(more)) doubts.push({ month, kind: 'unclear', by: formatDecimal(more) });
  const isOwed = !isUnclear && (isBilledSince || isAboveZero(more));
  return { lines: limitTo(isOwed ? more : ZERO, differences, month), doubts };
}

/** Takes off what was billed before, so that the lines come to what is owed. */
function limitTo(owed: Decimal, differences: RatedLine[], month: string): RatedLine[] {
  const amount = subtractDecimals(owed, sumLines(differences));
  const [first] = differences;
  if (first === undefined || compareDecimals(amount, ZERO) === 0) return differences;
  if (compareDecimals(owed, ZERO) === 0) return [];
  const title = `Billed before (late usage of ${month})`;
  return [
    ...differences,
    { ...first, title, path: '/', totalRequest: '0', amount: formatDecimal(amount), priceId: null },
  ];
}

const ZERO = toDecimal('0');

function larger(one: Decimal, other: Decimal): Decimal {
  return compareDecimals(one, other) > 0 ? one : other;
}

function isAboveZero(amount: Decimal): boolean {
  return compareDecimals(amount, ZERO) > 0;
}

/** Lets a person compare late usage with invoices that were written again after a restore: usage may be lost, and may still come. */
export async function alertDoubts(
  tx: Tx,
  companyId: string,
  { currency, doubts }: { currency: string; doubts: readonly Doubt[] },
): Promise<void> {
  for (const { kind, month, by } of doubts) {
    const message =
      kind === 'less'
        ? `With the usage of ${month} that arrived late, the month is worth ${by} ${currency} (net) less than its invoice billed, which ` +
          'was written again after a restore. The difference is not credited automatically. If usage is missing, send it again; if ' +
          'not, issue a credit note with POST /operator/invoices/{id}/credit-notes.'
        : `Usage of ${month} worth ${by} ${currency} (net) arrived late, and is not billed, because an invoice that was written again ` +
          'after a restore, from what the gateway captured, may include this usage already. If the usage is owed, bill it with ' +
          `POST /operator/companies/${companyId}/items.`;
    await insertAlert(tx, companyId, { kind: 'recovery_review', payment: null, message });
  }
}
