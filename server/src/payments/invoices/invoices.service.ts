import { LRUCache } from 'lru-cache';
import { METHODS, STATUSES } from '../../billing/invoices/record/invoices.schema.ts';
import type { StateFilter } from '../../billing/invoices/record/state.parts.queries.ts';
import { STATE_FILTERS } from '../../billing/invoices/record/state.schema.ts';
import { isDocumentNumber } from '../../billing/numbering/numbering.service.ts';
import { createCountCache } from '../../platform/database/count-cache.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { writeFrom } from '../../platform/http/limits/batches.ts';
import { parseDate, parseInstant } from '../../platform/http/schema/instants.ts';
import type { Json, JsonParts } from '../../platform/http/schema/json.ts';
import { compareDecimals, toDecimal } from '../../platform/money/decimal.ts';
import type { PaymentReader } from '../payment/payment.ts';
import {
  countInvoices,
  type InvoiceFilter,
  type InvoicePage,
  type PageState,
  selectInvoiceBatch,
  selectInvoicePage,
  selectPageState,
} from './invoices.queries.ts';
import type { InvoiceFileQuery, InvoiceList, InvoiceQuery } from './invoices.schema.ts';

const DAY_MS = 86_400_000;

/** In characters: all pages in the cache, and the longest one. */
const MAX_REMEMBERED_LENGTH = 8 * 1024 * 1024;
const MAX_REMEMBERED_PAGE_LENGTH = 256 * 1024;

const matchCounts = createCountCache();
/** Recently read pages. `wasCurrent`: nothing had changed when it was last asked for, and so it is likely again. */
const pages = new LRUCache<string, { page: InvoicePage; wasCurrent: boolean }>({
  maxSize: MAX_REMEMBERED_LENGTH,
  maxEntrySize: MAX_REMEMBERED_PAGE_LENGTH,
  sizeCalculation: ({ page }) => page.data.length + page.ids.length + page.versions.length,
});

/**
 * Reads a page of the company's invoices with the exact total, as JSON text. Filters combine with AND. @throws ApiError
 * 400
 */
export async function listInvoices(
  db: Queryable,
  companyId: string,
  query: InvoiceQuery,
  { now, reader }: { now: Date; reader: PaymentReader },
): Promise<Json<typeof InvoiceList> | JsonParts<typeof InvoiceList>> {
  const shown = { ...query, reader };
  const write = (total: number | string, page: InvoicePage) => writePage(db, companyId, shown, total, page);
  const filter = readFilter(query, now);
  const { status, method, ...others } = filter;
  const key = `${companyId} ${reader} ${JSON.stringify({ ...filter, state: filter.state?.state })}`;
  if (Object.values(others).every((value) => value === null)) {
    const found = await findPage(db, companyId, filter, shown, key);
    return write(found.byStatusAndMethod, found);
  }
  if (filter.state?.state === 'overdue') {
    // An invoice becomes overdue by time alone, so these pages are not cached.
    const found = await selectInvoicePage(db, companyId, filter, rangeOf(shown));
    return write((await countInvoices(db, companyId, filter)).count, found);
  }
  const found = await findPage(db, companyId, filter, shown, key);
  const total = await matchCounts.find(key, found.changes, () => countInvoices(db, companyId, filter));
  return write(total, found);
}

/**
 * Finds a page. It comes from the cache as long as no invoice of the company and no payment of its invoices has changed, which is asked
 * first where it was so the last time.
 */
async function findPage(
  db: Queryable,
  companyId: string,
  filter: InvoiceFilter,
  query: ShownQuery,
  filterKey: string,
): Promise<InvoicePage> {
  const key = `${filterKey} ${query.page} ${query.perPage}`;
  const known = pages.get(key);
  const state = known?.wasCurrent ? await selectPageState(db, companyId, filter, known.page.ids) : null;
  if (known !== undefined && state !== null && isOf(state, known.page)) return known.page;
  const page = await selectInvoicePage(db, companyId, filter, rangeOf(query));
  const wasCurrent = known === undefined || isOf(page, known.page);
  pages.set(key, { page, wasCurrent });
  return page;
}

/** Whether a page with this state has not changed since. */
function isOf(state: PageState, page: InvoicePage): boolean {
  return state.changes === page.changes && state.versions === page.versions;
}

type ShownQuery = InvoiceQuery & { reader: PaymentReader };

function rangeOf({ page, perPage, reader }: ShownQuery) {
  return { limit: perPage, offset: (page - 1) * perPage, reader };
}

/**
 * Writes a page. A long page is read in batches while it is sent: the set of invoices is fixed, and each is read with
 * its batch.
 */
function writePage(
  db: Queryable,
  companyId: string,
  { page, perPage, reader }: ShownQuery,
  total: number | string,
  { ids, data, count }: InvoicePage,
): Json<typeof InvoiceList> | JsonParts<typeof InvoiceList> {
  const head = { total: Number(total), page, perPage };
  const all = ids === '' ? [] : ids.split(',');
  return writeFrom<typeof InvoiceList, string>({ data, count }, head, all, (batch) =>
    selectInvoiceBatch(db, companyId, batch, reader),
  );
}

/** @throws ApiError 400 */
export function readFilter(query: InvoiceFileQuery, now: Date): InvoiceFilter {
  const { receipt, min, max, status, method, currency, state, startAt, endAt } = query;
  checkAmounts(query);
  const byId = receipt !== undefined && !isDocumentNumber(receipt);
  return {
    id: byId ? receipt : null,
    number: receipt === undefined || byId ? null : receipt.toUpperCase(),
    min: min ?? null,
    max: max ?? null,
    status: readStatus(status),
    method: readMethod(method),
    currency: currency ?? null,
    state: readState(state, now),
    ...readPeriodBounds({ startAt, endAt }),
  };
}

/** Reads the status of a filter, in upper or lower case; null without a filter. */
export function readStatus(status: string | undefined): (typeof STATUSES)[number] | null {
  return STATUSES.find((known) => known.toLowerCase() === status?.toLowerCase()) ?? null;
}

/** Reads the method of a filter, in upper or lower case; null without a filter. */
export function readMethod(method: string | undefined): (typeof METHODS)[number] | null {
  return METHODS.find((known) => known.toLowerCase() === method?.toLowerCase()) ?? null;
}

/** @throws ApiError 400 if the least amount is more than the most */
export function checkAmounts({ min, max }: { min?: string | undefined; max?: string | undefined }): void {
  if (min !== undefined && max !== undefined && compareDecimals(toDecimal(min), toDecimal(max)) > 0)
    throw invalidField('min', 'must not be greater than max');
}

/** Reads the state of a filter, in upper or lower case, as of `now` on the billing clock; null without a filter. */
export function readState(state: string | undefined, now: Date): StateFilter | null {
  const known = STATE_FILTERS.find((one) => one === state?.toLowerCase());
  return known === undefined ? null : { state: known, now };
}

/**
 * Reads a filter's bounds as instants; null where there is none. @throws ApiError 400 if the first is after the last
 */
export function readPeriodBounds({ startAt, endAt }: { startAt?: string | undefined; endAt?: string | undefined }): {
  startAt: Date | null;
  endAt: Date | null;
} {
  const from = startAt === undefined ? null : (parseDate(startAt) ?? parseInstant(startAt));
  const dayEnd = endAt === undefined ? null : endOfDay(endAt);
  const until = endAt === undefined ? null : (dayEnd ?? parseInstant(endAt));
  if (from !== null && until !== null && (from > until || from.getTime() === dayEnd?.getTime()))
    throw invalidField('startAt', 'must not be after endAt');
  return { startAt: from, endAt: until };
}

/** Returns the exclusive end: a bare date includes that day. */
function endOfDay(text: string): Date | null {
  const date = parseDate(text);
  // 9999-12-31 is commonly used for "no end"; PostgreSQL can't read the day after it.
  return date === null ? null : new Date(Math.min(date.getTime() + DAY_MS, Date.UTC(9_999, 11, 31, 23, 59, 59, 999)));
}
