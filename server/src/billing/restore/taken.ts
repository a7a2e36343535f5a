import { readWorths } from '../../metering/prices/prices.service.ts';
import { selectOpenCutoff } from '../../metering/usage/usage.service.ts';
import { isBillingMonth } from '../../platform/calendar/billing-periods.ts';
import type { Tx } from '../../platform/database/database.ts';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  parseDecimal,
  toDecimal,
} from '../../platform/money/decimal.ts';
import { selectLastPeriod } from '../runs/batch/billed-periods.queries.ts';
import { type PeriodTaken, selectLineSums, selectPeriodsTaken, upsertTaken } from './taken.queries.ts';

/** The invoice of a month that was written again. */
type RestoredInvoice = { id: string; month: string; currency: string; isNew: boolean };

/**
 * Notes what an invoice that is written again took of each month: of its own, and as late usage of earlier ones. Usage that was lost with
 * it is not billed once more when it is sent again later.
 * @param invoice.isNew - whether its month was not billed before
 * @param asCaptured - set if its line only says what was captured: what its object says about usage by month, as in
 * `2026-09:12.50,2026-10:40.00`; null if it says nothing
 */
export async function noteTaken(
  tx: Tx,
  companyId: string,
  invoice: RestoredInvoice,
  asCaptured?: { usage: string | null },
): Promise<void> {
  const last = await selectLastPeriod(tx, companyId);
  if (last === null) return;
  const { id, month, currency, isNew } = invoice;
  const said = asCaptured === undefined ? null : readUsage(asCaptured.usage);
  const sums = new Map([[month, '0'], ...(said ?? (await selectLineSums(tx, companyId, { invoiceId: id, month })))]);
  const asked = { months: [...sums.keys()], openCutoff: await selectOpenCutoff(tx) };
  const isExact = asCaptured === undefined || said !== null;
  const { cutoff } = last;
  for (const billed of await selectPeriodsTaken(tx, companyId, asked)) {
    const { period } = billed;
    const isFirst = period === month && isNew;
    const before = isFirst ? ZERO : await readTakenBefore(tx, { companyId, currency, cutoff }, billed);
    const taken = formatDecimal(addDecimals(before, toDecimal(sums.get(period) ?? '0')));
    await upsertTaken(tx, companyId, { period, cutoff, taken, isExact });
  }
}

const ZERO = toDecimal('0');

/** What the invoices of a period took that the database has: what its usage was worth, up to where runs have billed it. */
async function readTakenBefore(
  tx: Tx,
  { companyId, currency, cutoff }: { companyId: string; currency: string; cutoff: number },
  { taken, billedUpTo: upToCutoff, period: month, startAt, endAt }: PeriodTaken,
): Promise<Decimal> {
  const known = taken === null ? ZERO : toDecimal(taken.amount);
  // Another invoice was written again before, and nothing was billed since.
  if (taken?.cutoff === cutoff) return known;
  const period = { companyId, currency, month, startAt, endAt, upToCutoff };
  const worth = (await readWorths(tx, [period]))(period);
  return compareDecimals(worth, known) > 0 ? worth : known;
}

/** Null if it does not say how much usage of which months. */
function readUsage(text: string | null): [string, string][] | null {
  const parts = (text ?? '').split(',').map((part) => /^([^:]+):([^:]+)$/.exec(part));
  const sums = parts.map((part): [string, string] => [part?.[1] ?? '', part?.[2] ?? '']);
  return sums.every(([month, amount]) => isBillingMonth(month) && parseDecimal(amount) !== null) ? sums : null;
}
