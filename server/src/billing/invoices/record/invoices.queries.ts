import { lastingId } from '../../../outbox/events/events.service.ts';
import type { Queryable, Tx } from '../../../platform/database/database.ts';
import type { Json, JsonList } from '../../../platform/http/schema/json.ts';
import { invoiceEvents, type PaymentEventType, paymentEvents } from './invoices.events.ts';
import { invoiceEventId, invoiceFields, latestPayment, onePayment } from './invoices.parts.queries.ts';
import type { Invoice, InvoiceList } from './invoices.schema.ts';
import { pageData, pageRows } from './page.parts.queries.ts';
import { matchesState, type StateFilter } from './state.parts.queries.ts';

/** Inserts an event of this type with this payment of the invoice, as the list shows it. A payment has each once. */
export async function insertPaymentEvent(
  tx: Tx,
  companyId: string,
  { type, id, invoiceId }: { type: PaymentEventType; id: string; invoiceId: string },
): Promise<void> {
  const subject = { companyId: tx`company_id`, type: tx`${type}::text`, id: tx`${id}::uuid` };
  await tx`
    WITH changes AS (
      SELECT company_id, ${lastingId(tx, subject)} AS id, ${type} AS type, ${onePayment(tx, id)} AS data
      FROM invoices WHERE company_id = ${companyId} AND id = ${invoiceId}
    ), ${paymentEvents.recordingParts(tx, type)}
    SELECT 1`;
}

/** Reads the Invoice as JSON text; null if the company has no such invoice. */
export async function selectInvoice(
  db: Queryable,
  companyId: string,
  id: string,
): Promise<Json<typeof Invoice> | null> {
  const [row] = await db<{ json: Json<typeof Invoice> }[]>`
    SELECT json_build_object(${invoiceFields(db)})::text AS json FROM invoices WHERE company_id = ${companyId} AND id = ${id}`;
  return row?.json ?? null;
}

export type InvoiceToCharge = {
  status: 'Processing' | 'Succeeded' | 'Failed';
  isVoided: boolean;
  method: string;
  currency: string;
  /** The amount to pay in major units: the total without what was credited and what part payments have paid. */
  amountDue: string;
};

/** Locks the invoice until the transaction ends; null if the company has no such invoice. */
export async function lockInvoice(tx: Tx, companyId: string, id: string): Promise<InvoiceToCharge | null> {
  const [row] = await tx<InvoiceToCharge[]>`
    SELECT status, voided_at IS NOT NULL AS "isVoided", method, currency, total - credited_total - part_paid AS "amountDue"
    FROM invoices WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return row ?? null;
}

/**
 * Sets a Processing or Failed invoice to Succeeded, with the credit that this payment used, and inserts the event. Does nothing if it was
 * Succeeded before.
 */
export async function markSucceeded(tx: Tx, companyId: string, id: string, paymentId: string): Promise<void> {
  await tx`
    WITH changes AS (
      UPDATE invoices
      SET status = 'Succeeded', payment_id = payments.id, credit_used = CASE part_paid WHEN 0 THEN payments.credit_minor ELSE (
            SELECT sum(all_of_it.credit_minor) FROM payments AS all_of_it
            WHERE all_of_it.company_id = invoices.company_id AND all_of_it.invoice_id = invoices.id AND all_of_it.state = 'captured'
          ) END / 10::numeric ^ minor_unit_digits,
          settled_by_credit_notes = credited_total = total AND total > 0, updated_at = now()
      FROM payments
      WHERE invoices.company_id = ${companyId} AND invoices.id = ${id} AND invoices.status <> 'Succeeded'
        AND payments.company_id = ${companyId} AND payments.id = ${paymentId}
      RETURNING invoices.company_id, ${invoiceEventId(tx, 'invoice.succeeded')} AS id, 'invoice.succeeded' AS type,
                json_build_object(${invoiceFields(tx)}) AS data
    ), ${invoiceEvents.recordingParts(tx, 'invoice.succeeded')}
    SELECT 1`;
}

/** Adds what a part payment has paid. */
export async function addPartPaid(tx: Tx, companyId: string, id: string, amountMinor: bigint): Promise<void> {
  await tx`
    UPDATE invoices
    SET part_paid = part_paid + ${amountMinor.toString()}::text::numeric / 10::numeric ^ minor_unit_digits, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id}`;
}

/** Sets a Failed invoice to Processing. */
export async function markProcessing(tx: Tx, companyId: string, id: string): Promise<void> {
  await tx`
    UPDATE invoices SET status = 'Processing', updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND status = 'Failed'`;
}

/** Sets a Processing invoice to Failed after this payment and inserts the event. A Succeeded invoice stays so. */
export async function markFailed(tx: Tx, companyId: string, id: string, paymentId: string): Promise<void> {
  await tx`
    WITH changes AS (
      UPDATE invoices SET status = 'Failed', updated_at = now()
      WHERE company_id = ${companyId} AND id = ${id} AND status = 'Processing'
      RETURNING company_id, ${invoiceEventId(tx, 'invoice.failed', paymentId)} AS id, 'invoice.failed' AS type,
                json_build_object(${invoiceFields(tx)}) AS data
    ), ${invoiceEvents.recordingParts(tx, 'invoice.failed')}
    SELECT 1`;
}

export type InvoiceFilter = {
  id: string | null;
  number: string | null;
  min: string | null;
  max: string | null;
  status: string | null;
  method: string | null;
  state: StateFilter | null;
  startAt: Date | null;
  endAt: Date | null;
};

/**
 * The filter's condition. A period starts before it ends, so an invoice that ends in time also starts in time; with that condition, the
 * index scan begins at the right position.
 */
function matches(db: Queryable, companyId: string, filter: InvoiceFilter) {
  return db`invoices.company_id = ${companyId}
    ${filter.id === null ? db`` : db`AND invoices.id = ${filter.id}`}
    ${filter.number === null ? db`` : db`AND invoices.number = ${filter.number}`}
    ${filter.min === null ? db`` : db`AND invoices.total >= ${filter.min}::text::numeric`}
    ${filter.max === null ? db`` : db`AND invoices.total <= ${filter.max}::text::numeric`}
    ${filter.status === null ? db`` : db`AND invoices.status = ${filter.status}`}
    ${filter.method === null ? db`` : db`AND invoices.method = ${filter.method}`}
    ${filter.state === null ? db`` : db`AND ${matchesState(db, filter.state)}`}
    ${filter.startAt === null ? db`` : db`AND invoices.start_at >= ${filter.startAt}`}
    ${filter.endAt === null ? db`` : db`AND invoices.end_at <= ${filter.endAt} AND invoices.start_at < ${filter.endAt}`}`;
}

/**
 * `byStatusAndMethod` is the count with only those two filters. `changes` changes whenever one of the company's invoices does. `data` is
 * the page as JSON text, newest period first, each invoice with its latest payment; null if it is more than is read at once. `ids` are its
 * invoices.
 */
export type InvoicePage = {
  byStatusAndMethod: string;
  changes: string;
  ids: string;
  data: JsonList<typeof InvoiceList> | null;
};

/** Finds this page of the filter. */
export async function selectInvoicePage(
  db: Queryable,
  companyId: string,
  filter: InvoiceFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<InvoicePage> {
  return selectPage(
    db,
    companyId,
    filter,
    db`${matches(db, companyId, filter)} ORDER BY start_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
  );
}

/**
 * Reads the page of these invoices, as `InvoicePage.ids` names them. It is still the filter's page if `changes` has the same value as then.
 * The cost depends neither on the filter nor on how far the page is from the newest invoice.
 */
export async function selectInvoicesByIds(
  db: Queryable,
  companyId: string,
  filter: InvoiceFilter,
  ids: string,
): Promise<InvoicePage> {
  const rows = db`invoices.company_id = ${companyId} AND invoices.id = ANY(string_to_array(${ids}, ',')::uuid[])`;
  return selectPage(db, companyId, filter, db`${rows} ORDER BY start_at DESC, id DESC`);
}

async function selectPage(
  db: Queryable,
  companyId: string,
  { status, method }: InvoiceFilter,
  rows: ReturnType<typeof matches>,
): Promise<InvoicePage> {
  const [row] = await db<[InvoicePage]>`
    SELECT counts."byStatusAndMethod", counts.changes, page.ids, page.data
    FROM (
      SELECT coalesce(sum(invoices) FILTER (
               WHERE true ${status === null ? db`` : db`AND status = ${status}`}
                          ${method === null ? db`` : db`AND method = ${method}`}
             ), 0)::text AS "byStatusAndMethod",
             coalesce(sum(changes), 0)::text AS changes
      FROM invoice_counts
      WHERE company_id = ${companyId}
    ) AS counts, (
      SELECT coalesce(string_agg(invoices.id::text, ','), '') AS ids,
             ${pageData(db, db`json_build_object(${invoiceFields(db)}, 'payment', ${latestPayment(db)})`)}
      FROM ${pageRows(db, db`SELECT * FROM invoices WHERE ${rows}`)}
    ) AS page`;
  return row;
}

/** Counts the matching invoices, and returns the counter of changes for which this holds. */
export async function countInvoices(
  db: Queryable,
  companyId: string,
  filter: InvoiceFilter,
): Promise<{ count: number; changes: string }> {
  const [row] = await db<[{ count: number; changes: string }]>`
    SELECT (SELECT count(*)::int FROM invoices WHERE ${matches(db, companyId, filter)}) AS count,
           (SELECT coalesce(sum(changes), 0)::text FROM invoice_counts WHERE company_id = ${companyId}) AS changes`;
  return row;
}
