import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { findBillingInformationId } from '../billing-information/billing-information.service.ts';
import { lockCompany } from '../companies/companies.service.ts';
import { createCountCache } from '../database/count-cache.ts';
import type { Queryable, Tx } from '../database/database.ts';
import { createMemory } from '../database/memory.ts';
import { invalidField, notFound } from '../errors.ts';
import { parseDate, parseInstant } from '../http/instants.ts';
import { minorUnitDigits } from '../money/currencies.ts';
import { compareDecimals, jsonNumber, toDecimal } from '../money/decimal.ts';
import { AmountError, computeTotals, formatAmount, fromMinor, type Totals } from '../money/money.ts';
import {
  countInvoices,
  type InvoiceFilter,
  type InvoicePage,
  type InvoiceToCharge,
  insertInvoice,
  lockInvoice,
  markFailed,
  markProcessing,
  markSucceeded,
  selectInvoice,
  selectInvoicePage,
  selectInvoicesAgain,
  takeInvoiceNumber,
} from './invoices.queries.ts';
import { type CreateInvoiceBody, type InvoiceQuery, METHODS, STATUSES } from './invoices.schema.ts';

const MAX_METADATA_BYTES = 16 * 1024;
const DAY_MS = 86_400_000;

const MAX_REMEMBERED_PAGES = 2_000;
/** Larger pages take their time for the invoices, not for finding them, and would fill the memory. */
const MAX_REMEMBERED_PER_PAGE = 100;

const matchCounts = createCountCache();
/** The ids of pages lately read, of filters that PostgreSQL has to search for. */
const pages = createMemory<string>(MAX_REMEMBERED_PAGES);

/**
 * Issues an invoice; nothing in it changes afterwards but its status. @returns the Invoice as JSON text
 * @throws ApiError 400 naming the field
 */
export async function createInvoice(tx: Tx, companyId: string, body: CreateInvoiceBody): Promise<string> {
  const period = readPeriod(body);
  const currency = readCurrency(body.details);
  const metadata = readMetadata(body.metadata ?? null);
  const taxRate = body.taxRate ?? '0';
  const amounts = computeInvoice(body.details, taxRate, currency);
  const billToId = isUuid(companyId) ? await findBillingInformationId(tx, companyId) : null;
  if (billToId === null) throw invalidField('companyId', 'must be the id of a company');

  const number = await takeInvoiceNumber(tx, companyId);
  return insertInvoice(tx, companyId, number, {
    id: uuidv7(),
    billToId,
    ...period,
    method: body.method ?? 'Card',
    currency,
    minorUnitDigits: minorUnitDigits(currency),
    taxRate,
    ...amounts,
    metadata,
  });
}

type LineItem = Pick<CreateInvoiceBody['details'][number], 'title' | 'path' | 'totalRequest' | 'amount'>;

/** What an invoice of these lines says, in major units, its lines as JSON text. @throws ApiError 400 naming the field */
export function computeInvoice(
  details: readonly LineItem[],
  taxRate: string,
  currency: string,
): { subTotal: string; tax: string; total: string; details: string } {
  const totals = readTotals(details, taxRate, currency);
  return {
    subTotal: formatAmount(totals.subTotalMinor, currency),
    tax: formatAmount(totals.taxMinor, currency),
    total: formatAmount(totals.totalMinor, currency),
    details: writeDetails(details, totals, currency),
  };
}

function readPeriod(body: CreateInvoiceBody): { startAt: Date; endAt: Date } {
  const startAt = parseInstant(body.startAt);
  const endAt = parseInstant(body.endAt);
  if (startAt === null || endAt === null || endAt <= startAt) throw invalidField('endAt', 'must be after startAt');
  return { startAt, endAt };
}

function readCurrency(details: CreateInvoiceBody['details']): string {
  const currency = details[0]?.currency ?? '';
  const other = details.findIndex((line) => line.currency !== currency);
  if (other !== -1) throw invalidField(`details[${other}].currency`, 'must be the same in every line');
  return currency;
}

function readMetadata(metadata: object | null): string | null {
  const json = metadata === null ? null : JSON.stringify(metadata);
  if (json !== null && Buffer.byteLength(json) > MAX_METADATA_BYTES)
    throw invalidField('metadata', 'must be at most 16 KiB of JSON');
  return json;
}

function readTotals(details: readonly LineItem[], taxRate: string, currency: string): Totals {
  try {
    const totals = computeTotals(details, taxRate, currency);
    if (totals.totalMinor < 0n) throw new AmountError('details', 'must not add up to a negative total');
    return totals;
  } catch (error) {
    throw error instanceof AmountError ? invalidField(error.field, error.message) : error;
  }
}

/** The line items as every answer shows them: the rounded amount as a number that prints exactly, the count as text. */
function writeDetails(details: readonly LineItem[], { lineAmountsMinor }: Totals, currency: string): string {
  const lines = details.map(({ title, path, totalRequest }, index) => {
    const amount = jsonNumber(fromMinor(lineAmountsMinor[index] ?? 0n, currency));
    const fields = JSON.stringify({ title, path, totalRequest: BigInt(totalRequest).toString(), currency });
    return `${fields.slice(0, -1)},"amount":${amount}}`;
  });
  return `[${lines.join(',')}]`;
}

/** A page of the company's invoices with the exact total, as JSON text. All filters combine with AND. @throws ApiError 400 */
export async function listInvoices(db: Queryable, companyId: string, query: InvoiceQuery): Promise<string> {
  const filter = readFilter(query);
  const { status, method, ...others } = filter;
  if (Object.values(others).every((value) => value === null)) {
    const found = await selectInvoicePage(db, companyId, filter, placeOf(query));
    return writePage(query, found.byStatusAndMethod, found.data);
  }
  const key = `${companyId} ${JSON.stringify(filter)}`;
  const found = await findPage(db, companyId, filter, query, key);
  const total = await matchCounts.find(key, found.changes, () => countInvoices(db, companyId, filter));
  return writePage(query, total, found.data);
}

/** While the company's invoices stand still, the page has the invoices that it had, and they are read by their ids. */
async function findPage(
  db: Queryable,
  companyId: string,
  filter: InvoiceFilter,
  query: InvoiceQuery,
  filterKey: string,
): Promise<InvoicePage> {
  const key = `${filterKey} ${query.page} ${query.perPage}`;
  const known = pages.recall(key);
  if (known !== undefined) {
    const again = await selectInvoicesAgain(db, companyId, filter, known.value);
    if (again.changes === known.changes) return again;
  }
  const found = await selectInvoicePage(db, companyId, filter, placeOf(query));
  if (query.perPage <= MAX_REMEMBERED_PER_PAGE) pages.remember(key, found.changes, found.ids);
  return found;
}

function placeOf({ page, perPage }: InvoiceQuery): { limit: number; offset: number } {
  return { limit: perPage, offset: (page - 1) * perPage };
}

function writePage({ page, perPage }: InvoiceQuery, total: number | string, data: string): string {
  return `{"total":${total},"page":${page},"perPage":${perPage},"data":${data}}`;
}

function readFilter({ receipt, min, max, status, method, startAt, endAt }: InvoiceQuery): InvoiceFilter {
  if (min !== undefined && max !== undefined && compareDecimals(toDecimal(min), toDecimal(max)) > 0) {
    throw invalidField('min', 'must not be greater than max');
  }
  const from = startAt === undefined ? null : (parseDate(startAt) ?? parseInstant(startAt));
  const dayEnd = endAt === undefined ? null : endOfDay(endAt);
  const until = endAt === undefined ? null : (dayEnd ?? parseInstant(endAt));
  if (from !== null && until !== null && (from > until || from.getTime() === dayEnd?.getTime()))
    throw invalidField('startAt', 'must not be after endAt');
  const byId = receipt !== undefined && !/^INV-/i.test(receipt);
  return {
    id: byId ? receipt : null,
    number: receipt === undefined || byId ? null : receipt.toUpperCase(),
    min: min ?? null,
    max: max ?? null,
    status: STATUSES.find((known) => known.toLowerCase() === status?.toLowerCase()) ?? null,
    method: METHODS.find((known) => known.toLowerCase() === method?.toLowerCase()) ?? null,
    startAt: from,
    endAt: until,
  };
}

/** A bare end date includes that day. */
function endOfDay(text: string): Date | null {
  const date = parseDate(text);
  // 9999-12-31 is how people write "no end"; the day after it has no text that PostgreSQL reads.
  return date === null ? null : new Date(Math.min(date.getTime() + DAY_MS, Date.UTC(9_999, 11, 31, 23, 59, 59, 999)));
}

/** The Invoice as JSON text. @throws ApiError not_found */
export async function readInvoice(db: Queryable, companyId: string, id: string): Promise<string> {
  const invoice = await selectInvoice(db, companyId, id);
  if (invoice === null) throw notFound('invoice');
  return invoice;
}

/** Locks the invoice until the transaction ends, so that one payment at a time starts or settles. @throws ApiError not_found */
export async function lockInvoiceToCharge(tx: Tx, companyId: string, id: string): Promise<InvoiceToCharge> {
  const invoice = await lockInvoice(tx, companyId, id);
  if (invoice === null) throw notFound('invoice');
  return invoice;
}

/** The invoice is paid by this payment. */
export async function succeedInvoice(tx: Tx, companyId: string, id: string, paymentId: string): Promise<void> {
  await markSucceeded(tx, companyId, id, paymentId);
}

/** The bank refused the charge. A later payment may still succeed. */
export async function failInvoice(tx: Tx, companyId: string, id: string): Promise<void> {
  await lockCompany(tx, companyId);
  await markFailed(tx, companyId, id);
}

/** A new charge begins: a Failed invoice is Processing again, because from now on money may have moved. */
export async function reopenInvoice(tx: Tx, companyId: string, id: string): Promise<void> {
  // Failing and reopening change the same two counters in opposite order; on the company's row they take turns.
  await lockCompany(tx, companyId);
  await markProcessing(tx, companyId, id);
}
