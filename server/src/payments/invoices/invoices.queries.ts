import { invoiceFields } from '../../billing/invoices/record/invoices.parts.queries.ts';
import { pageData, pageRows } from '../../billing/invoices/record/page.parts.queries.ts';
import { matchesState, type StateFilter } from '../../billing/invoices/record/state.parts.queries.ts';
import { idList, type Part, type Queryable } from '../../platform/database/database.ts';
import type { FirstItems } from '../../platform/http/limits/batches.ts';
import type { JsonList } from '../../platform/http/schema/json.ts';
import { latestPayment } from '../payment/payment.parts.queries.ts';
import type { PaymentReader } from '../payment/payment.ts';
import type { InvoiceList } from './invoices.schema.ts';

export type InvoiceFilter = {
  id: string | null;
  number: string | null;
  min: string | null;
  max: string | null;
  status: string | null;
  method: string | null;
  currency: string | null;
  state: StateFilter | null;
  startAt: Date | null;
  endAt: Date | null;
};

/**
 * The filter's condition. A period starts before it ends, so an invoice that ends in time also starts in time; with that condition, the
 * index scan begins at the right position.
 */
export function matchesInvoice(db: Queryable, companyId: string, filter: InvoiceFilter) {
  return db`invoices.company_id = ${companyId}
    ${filter.id === null ? db`` : db`AND invoices.id = ${filter.id}`}
    ${filter.number === null ? db`` : db`AND invoices.number = ${filter.number}`}
    ${filter.min === null ? db`` : db`AND invoices.total >= ${filter.min}::text::numeric`}
    ${filter.max === null ? db`` : db`AND invoices.total <= ${filter.max}::text::numeric`}
    ${filter.status === null ? db`` : db`AND invoices.status = ${filter.status}`}
    ${filter.method === null ? db`` : db`AND invoices.method = ${filter.method}`}
    ${filter.currency === null ? db`` : db`AND invoices.currency = ${filter.currency}`}
    ${filter.state === null ? db`` : db`AND ${matchesState(db, filter.state)}`}
    ${filter.startAt === null ? db`` : db`AND invoices.start_at >= ${filter.startAt}`}
    ${filter.endAt === null ? db`` : db`AND invoices.end_at <= ${filter.endAt} AND invoices.start_at < ${filter.endAt}`}`;
}

/**
 * `byStatusAndMethod` is the count with only those two filters. `changes` changes whenever one of the company's invoices does. `ids` are
 * the invoices of the page, newest period first. `data` has the first ones of them as JSON text, as many as are read at once, each with its
 * latest payment.
 */
export type InvoicePage = FirstItems<typeof InvoiceList> & PageState & { ids: string };

/**
 * `versions` changes whenever one of the page's invoices or one of their payments does: it names the versions of their rows. In a database
 * that was set back, the counters may count up to the same values again; the versions differ then.
 */
export type PageState = { byStatusAndMethod: string; changes: string; versions: string };

/** Finds this page of the filter. */
export async function selectInvoicePage(
  db: Queryable,
  companyId: string,
  filter: InvoiceFilter,
  { limit, offset, reader }: { limit: number; offset: number; reader: PaymentReader },
): Promise<InvoicePage> {
  const rows = db`${matchesInvoice(db, companyId, filter)} ORDER BY start_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`;
  const [row] = await db<[InvoicePage]>`
    SELECT counts."byStatusAndMethod", counts.changes, page.ids, page.data, page.count,
           ${versionsOf(db, companyId, db`page.ids`)} AS versions
    FROM ${countsOf(db, companyId, filter)} AS counts, (
      SELECT coalesce(string_agg(invoices.id::text, ','), '') AS ids,
             ${pageData(db, db`json_build_object(${invoiceFields(db)}, 'payment', ${latestPayment(db, { reader })})`)}
      FROM ${pageRows(db, db`SELECT * FROM invoices WHERE ${rows}`)}
    ) AS page`;
  return row;
}

/** Reads what the page of these invoices, as `InvoicePage.ids` names them, has to be compared with. */
export async function selectPageState(
  db: Queryable,
  companyId: string,
  filter: InvoiceFilter,
  ids: string,
): Promise<PageState> {
  const [row] = await db<[PageState]>`
    SELECT counts."byStatusAndMethod", counts.changes, ${versionsOf(db, companyId, db`${ids}`)} AS versions
    FROM ${countsOf(db, companyId, filter)} AS counts`;
  return row;
}

/** The versions of the rows of these invoices and of all their payments: each update writes another one, at another place. */
function versionsOf(db: Queryable, companyId: string, ids: Part): Part {
  return db`(
    SELECT coalesce(string_agg(invoices.ctid::text || invoices.xmin::text, ' ' ORDER BY invoices.id), '') FROM invoices
    WHERE invoices.company_id = ${companyId} AND invoices.id = ANY(string_to_array(${ids}, ',')::uuid[])
  ) || (
    SELECT coalesce(string_agg(payments.ctid::text || payments.xmin::text, ' ' ORDER BY payments.id), '') FROM payments
    WHERE payments.company_id = ${companyId} AND payments.invoice_id = ANY(string_to_array(${ids}, ',')::uuid[])
  )`;
}

function countsOf(db: Queryable, companyId: string, { status, method }: InvoiceFilter): Part {
  return db`(
    SELECT coalesce(sum(invoices) FILTER (
             WHERE true ${status === null ? db`` : db`AND status = ${status}`}
                        ${method === null ? db`` : db`AND method = ${method}`}
           ), 0)::text AS "byStatusAndMethod",
           coalesce(sum(changes), 0)::text AS changes
    FROM invoice_counts
    WHERE company_id = ${companyId}
  )`;
}

/** Counts the matching invoices, and returns the counter of changes for which this holds. */
export async function countInvoices(
  db: Queryable,
  companyId: string,
  filter: InvoiceFilter,
): Promise<{ count: number; changes: string }> {
  const [row] = await db<[{ count: number; changes: string }]>`
    SELECT (SELECT count(*)::int FROM invoices WHERE ${matchesInvoice(db, companyId, filter)}) AS count,
           (SELECT coalesce(sum(changes), 0)::text FROM invoice_counts WHERE company_id = ${companyId}) AS changes`;
  return row;
}

/** These invoices of the company in this order, as a list of JSON text. */
export async function selectInvoiceBatch(
  db: Queryable,
  companyId: string,
  ids: readonly string[],
  reader: PaymentReader,
): Promise<JsonList<typeof InvoiceList>> {
  const [row] = await db<[{ data: JsonList<typeof InvoiceList> }]>`
    SELECT coalesce(json_agg(
             json_build_object(${invoiceFields(db)}, 'payment', ${latestPayment(db, { reader })}) ORDER BY place
           ), '[]')::text AS data
    FROM unnest(${idList(db, ids)}) WITH ORDINALITY AS given (id, place)
    CROSS JOIN LATERAL (SELECT * FROM invoices WHERE company_id = ${companyId} AND invoices.id = given.id OFFSET 0) AS invoices`;
  return row.data;
}
