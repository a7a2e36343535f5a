import { invoiceFields, invoiceSums } from '../../billing/invoices/record/invoices.parts.queries.ts';
import type { METHODS } from '../../billing/invoices/record/invoices.schema.ts';
import { pageData, pageRows } from '../../billing/invoices/record/page.parts.queries.ts';
import { matchesState, type StateFilter } from '../../billing/invoices/record/state.parts.queries.ts';
import { companyName } from '../../identity/companies/names.parts.queries.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { FirstItems } from '../../platform/http/limits/batches.ts';
import type { JsonList } from '../../platform/http/schema/json.ts';
import { latestPayment } from '../payment/payment.parts.queries.ts';
import { type InvoiceLine, invoiceLine } from './invoices.file.parts.queries.ts';
import type { OperatorInvoiceList } from './invoices.read.schema.ts';

export type OperatorInvoiceFilter = {
  companyId: string | null;
  number: string | null;
  status: 'Processing' | 'Succeeded' | 'Failed' | null;
  state: StateFilter | null;
  startAt: Date | null;
  endAt: Date | null;
  method: (typeof METHODS)[number] | null;
  currency: string | null;
  min: string | null;
  max: string | null;
  /** Inclusive. */
  from: Date | null;
  /** Exclusive. */
  to: Date | null;
  runId: string | null;
};

/** The status is a constant of the statement, so that PostgreSQL can use the index of unpaid invoices. */
function matches(db: Queryable, filter: OperatorInvoiceFilter) {
  const { companyId, number, status, state, startAt, endAt } = filter;
  const byStatus = {
    Processing: db`AND invoices.status = 'Processing'`,
    Failed: db`AND invoices.status = 'Failed'`,
    Succeeded: db`AND invoices.status = 'Succeeded'`,
  };
  return db`true
    ${companyId === null ? db`` : db`AND invoices.company_id = ${companyId}`}
    ${number === null ? db`` : hasNumber(db, number)}
    ${status === null ? db`` : byStatus[status]}
    ${state === null ? db`` : db`AND ${matchesState(db, state)}`}
    ${startAt === null ? db`` : db`AND invoices.start_at >= ${startAt}`}
    ${endAt === null ? db`` : db`AND invoices.end_at <= ${endAt} AND invoices.start_at < ${endAt}`}
    ${matchesOthers(db, filter)}`;
}

function matchesOthers(db: Queryable, { method, currency, min, max, from, to, runId }: OperatorInvoiceFilter) {
  const ofRun = db`AND (invoices.company_id, invoices.id) IN (
    SELECT billed.company_id, billed.invoice_id FROM billed_periods AS billed
    WHERE billed.run_id = ${runId} AND billed.invoice_id IS NOT NULL
  )`;
  return db`
    ${method === null ? db`` : db`AND invoices.method = ${method}`}
    ${currency === null ? db`` : db`AND invoices.currency = ${currency}`}
    ${min === null ? db`` : db`AND invoices.total >= ${min}::text::numeric`}
    ${max === null ? db`` : db`AND invoices.total <= ${max}::text::numeric`}
    ${from === null ? db`` : db`AND invoices.created_at >= ${from}`}
    ${to === null ? db`` : db`AND invoices.created_at < ${to}`}
    ${runId === null ? db`` : ofRun}`;
}

/** The newest first. In a time of all companies they are in the order of its index. */
function order(db: Queryable, filter: OperatorInvoiceFilter) {
  return isOfTime(filter) ? db`created_at DESC, id DESC` : db`id DESC`;
}

function isOfTime({ companyId, from, to }: OperatorInvoiceFilter): boolean {
  return companyId === null && (from !== null || to !== null);
}

/** Numbers from the time when each company numbered its own documents are found with another index. */
function hasNumber(db: Queryable, number: string) {
  return db`AND (
    (invoices.number = ${number} AND invoices.number_series IS NOT NULL) OR (invoices.number = ${number} AND invoices.number_series IS NULL)
  )`;
}

/**
 * The source of a page. A number of the seller's belongs to one invoice. An older number may belong to invoices of many companies, of which
 * the `most` newest are read.
 */
function sourceOf(db: Queryable, filter: OperatorInvoiceFilter, most: number) {
  const { number } = filter;
  if (number === null) return db`invoices WHERE ${matches(db, filter)}`;
  const others = matches(db, { ...filter, number: null });
  return db`(
    (SELECT * FROM invoices WHERE ${others} AND number = ${number} AND number_series IS NOT NULL)
    UNION ALL
    (SELECT * FROM invoices WHERE ${others} AND number = ${number} AND number_series IS NULL ORDER BY id DESC LIMIT ${most})
  ) AS found`;
}

/**
 * Finds a page of the invoices of all companies, the newest first, and reads the first ones as JSON text, each with its latest payment, as
 * many as are read at once.
 */
export async function selectInvoicesOfAll(
  db: Queryable,
  filter: OperatorInvoiceFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<FirstItems<typeof OperatorInvoiceList> & { invoices: InvoiceKey[] }> {
  const rows = db`SELECT * FROM ${sourceOf(db, filter, limit + offset)} ORDER BY ${order(db, filter)} LIMIT ${limit} OFFSET ${offset}`;
  const [row] = await db<[FirstItems<typeof OperatorInvoiceList> & { invoices: string }]>`
    SELECT ${pageData(db, operatorInvoice(db))},
           coalesce(json_agg(json_build_object('companyId', invoices.company_id, 'id', invoices.id)), '[]')::text AS invoices
    FROM ${pageRows(db, rows)}`;
  return { ...row, invoices: JSON.parse(row.invoices) };
}

export type InvoiceKey = { companyId: string; id: string };

/** A row of `invoices` with its latest payment and the name of its company. */
function operatorInvoice(db: Queryable) {
  return db`json_build_object(
    ${invoiceFields(db)}, 'payment', ${latestPayment(db)}, 'companyName', ${companyName(db, db`invoices.company_id`)}
  )`;
}

/** The matching invoices of all companies after the last one, in the order of the pages, as lines of a file. */
export async function selectInvoiceLinesOfAll(
  db: Queryable,
  filter: OperatorInvoiceFilter,
  { last, limit }: { last: InvoiceLine | null; limit: number },
): Promise<OperatorInvoiceLine[]> {
  const afterTime = (line: InvoiceLine) =>
    db`WHERE (created_at, id) < (${line.createdAt ?? null}::timestamptz, ${line.id}::uuid)`;
  const afterId = (line: InvoiceLine) => db`WHERE id < ${line.id}::uuid`;
  const after = last === null ? db`` : isOfTime(filter) ? afterTime(last) : afterId(last);
  const most = filter.number === null ? limit : NUMBERED;
  return db<OperatorInvoiceLine[]>`
    SELECT invoices.company_id AS "companyId", ${companyName(db, db`invoices.company_id`)} AS "companyName", ${invoiceLine(db)}
    FROM (
      SELECT * FROM (SELECT * FROM ${sourceOf(db, filter, most)}) AS found ${after} ORDER BY ${order(db, filter)} LIMIT ${limit}
    ) AS invoices
    ORDER BY ${order(db, filter)}`;
}

export type OperatorInvoiceLine = InvoiceLine & { companyId: string; companyName: string };

/** More than there are companies that had numbers of their own. */
const NUMBERED = 1_000_000;

/** Reads these invoices in this order, as a list of JSON text. */
export async function selectInvoiceBatch(
  db: Queryable,
  batch: readonly InvoiceKey[],
): Promise<JsonList<typeof OperatorInvoiceList>> {
  const [row] = await db<[{ data: JsonList<typeof OperatorInvoiceList> }]>`
    SELECT coalesce(json_agg(${operatorInvoice(db)} ORDER BY place), '[]')::text AS data
    FROM ROWS FROM (json_to_recordset(${JSON.stringify(batch)}::text::json) AS ("companyId" uuid, id uuid)) WITH ORDINALITY
      AS given ("companyId", id, place)
    CROSS JOIN LATERAL (SELECT * FROM invoices WHERE company_id = given."companyId" AND invoices.id = given.id OFFSET 0) AS invoices`;
  return row.data;
}

/**
 * Counts the matching invoices. Without a number or a period, the counters have the result, except for the few void or credited ones, which
 * have an index. Overdue invoices are counted in the index of open ones, those of a currency are in the sums.
 */
export async function countInvoicesOfAll(db: Queryable, filter: OperatorInvoiceFilter): Promise<string> {
  const { companyId, status, state, method, ...others } = filter;
  if (isOfCurrency(filter)) {
    const [row] = await db<[{ total: string }]>`
      SELECT coalesce(sum(invoices), 0)::text AS total FROM ${invoiceSums(db)} AS sums WHERE currency = ${filter.currency}`;
    return row.total;
  }
  if (isFew(state) || Object.values(others).some((value) => value !== null)) {
    const [row] = await db<[{ total: string }]>`
      SELECT count(*)::text AS total FROM invoices WHERE ${matches(db, filter)}`;
    return row.total;
  }
  const [row] = await db<[{ total: string }]>`
    SELECT (coalesce(sum(invoices), 0) - ${countExceptions(db, filter)})::text AS total FROM invoice_counts
    WHERE true ${companyId === null ? db`` : db`AND company_id = ${companyId}`}
               ${status === null ? db`` : db`AND status = ${status}`}
               ${method === null ? db`` : db`AND method = ${method}`}
               ${state === null ? db`` : db`AND ${hasStatusOf(db, state)}`}`;
  return row.total;
}

/** Whether the currency is the only filter. */
function isOfCurrency({ currency, ...others }: OperatorInvoiceFilter): boolean {
  return currency !== null && Object.values(others).every((value) => value === null);
}

/** Whether the state has its own index. */
function isFew(filter: StateFilter | null): boolean {
  return filter !== null && filter.state !== 'open' && filter.state !== 'paid';
}

/** The condition on the status: paid invoices are Succeeded, open ones are not. */
function hasStatusOf(db: Queryable, { state }: StateFilter) {
  return state === 'paid' ? db`status = 'Succeeded'` : db`status <> 'Succeeded'`;
}

/** Counts the invoices that have the status of open or paid ones, but are void or credited. */
function countExceptions(db: Queryable, { companyId, status, method, state }: OperatorInvoiceFilter) {
  if (state === null) return db`0`;
  return db`(
    SELECT count(*) FROM invoices
    WHERE (voided_at IS NOT NULL OR (credited_total = total AND total > 0)) AND NOT ${matchesState(db, state)} AND ${hasStatusOf(db, state)}
      ${companyId === null ? db`` : db`AND company_id = ${companyId}`} ${status === null ? db`` : db`AND status = ${status}`}
      ${method === null ? db`` : db`AND method = ${method}`}
  )`;
}
