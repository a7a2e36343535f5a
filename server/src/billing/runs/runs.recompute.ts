import type { Queryable } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { type Json, withParts } from '../../platform/http/schema/json.ts';
import { compareDecimals, parseDecimal } from '../../platform/money/decimal.ts';
import { computeInvoice, findInvoiceCompany } from '../invoices/invoices.service.ts';
import { computeBill } from './batch/bill.ts';
import { type BilledInvoice, selectBilledInvoice } from './runs.recompute.queries.ts';
import type { InvoiceDifference, RecomputedInvoice } from './runs.recompute.schema.ts';

/** The compared fields of a line, as text; an amount keeps the digits of the JSON. */
type Line = Record<(typeof LINE_FIELDS)[number], string>;

const LINE_FIELDS = ['title', 'path', 'totalRequest', 'currency', 'amount', 'taxRate'] as const;
const TOTAL_FIELDS = ['subTotal', 'tax', 'total'] as const;
const AMOUNTS = new Set(['amount', 'taxRate', ...TOTAL_FIELDS]);

/**
 * Computes an invoice again from its basis, and reports the differences, as JSON text. It changes nothing. Usage up to a closed cutoff
 * and prices of billed time never change, so a difference shows that somebody changed rows by hand.
 * @throws ApiError not_found; invoice_not_computed for one that the operator issued
 */
export async function recomputeInvoice(db: Queryable, invoiceId: string): Promise<Json<typeof RecomputedInvoice>> {
  const companyId = await findInvoiceCompany(db, invoiceId);
  const invoice = await selectBilledInvoice(db, companyId, invoiceId);
  if (invoice === null) throw notFound('invoice');
  const { issued, computedFrom } = invoice;
  if (computedFrom === null) {
    throw new ApiError('invoice_not_computed', 'The operator wrote this invoice; it was not computed from usage.');
  }
  const { billed, last, currency, lateUsage, lateAtOwnRate } = computedFrom;
  const { period, startAt, endAt, cutoff, taxRate } = billed;
  const request = { currency, taxRate, month: period, period: billed, upToCutoff: cutoff, last, lateAtOwnRate };
  const { lines } = await computeBill(db, companyId, { ...request, items: { invoiceId } });
  const recomputed = computeInvoice(lines, taxRate, currency);
  const differences = compareInvoices(issued, { startAt, endAt, currency, ...recomputed });
  const fields = {
    ...{ invoiceId, companyId, number: issued.number, period, startAt, endAt, cutoff, currency, taxRate, lateUsage },
    lateAfterCutoff: last?.cutoff ?? null,
    matches: differences.length === 0,
    differences,
  };
  return withParts(fields, { issued: writeSide(issued), recomputed: writeSide(recomputed) });
}

function writeSide({
  details,
  ...fields
}: Pick<Compared, 'details' | (typeof TOTAL_FIELDS)[number]>): Json<typeof RecomputedInvoice.properties.issued> {
  const { subTotal, tax, total } = fields;
  return withParts({ subTotal, tax, total }, { details });
}

type Compared = Omit<BilledInvoice['issued'], 'number'>;

function compareInvoices(issued: Compared, recomputed: Compared): InvoiceDifference[] {
  const whole = (['startAt', 'endAt', 'currency', 'taxRate', ...TOTAL_FIELDS] as const).flatMap((field) =>
    compareField(null, field, textOf(issued[field]), textOf(recomputed[field])),
  );
  const [before, after] = [readLines(issued), readLines(recomputed)];
  const places = [...Array(Math.max(before.length, after.length)).keys()];
  const lines = places.flatMap((line) =>
    LINE_FIELDS.flatMap((field) =>
      compareField(line, field, before[line]?.[field] ?? null, after[line]?.[field] ?? null),
    ),
  );
  return [...whole, ...lines];
}

function textOf(value: string | Date): string {
  return value instanceof Date ? value.toISOString() : value;
}

function compareField(
  line: number | null,
  field: string,
  issued: string | null,
  recomputed: string | null,
): InvoiceDifference[] {
  const isSame = issued === recomputed || (AMOUNTS.has(field) && isSameAmount(issued, recomputed));
  return isSame ? [] : [{ line, field, issued, recomputed }];
}

/** `4.5` and `4.50` are the same. */
function isSameAmount(left: string | null, right: string | null): boolean {
  const [one, other] = [parseDecimal(left ?? ''), parseDecimal(right ?? '')];
  return one !== null && other !== null && compareDecimals(one, other) === 0;
}

/** Lines from before lines had a tax rate use the invoice's. */
function readLines({ details, taxRate }: Pick<Compared, 'details' | 'taxRate'>): Line[] {
  return parseLines(details).map((line) => ({ ...line, taxRate: line.taxRate ?? taxRate }));
}

/** A binary float cannot hold every amount, so the source text is read (JSON.parse source text access, ECMAScript 2026). */
function parseLines(details: string): Line[] {
  const keepSource = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  return JSON.parse(details, keepSource);
}
