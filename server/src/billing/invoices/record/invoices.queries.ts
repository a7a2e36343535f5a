import { recordingParts } from '../../../outbox/events/events.service.ts';
import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { pageData, pageRows } from './page.queries.ts';
import { fitsState, invoiceState, type StateFilter } from './state.queries.ts';

/**
 * The Invoice of the API as JSON, from a row of `invoices`. PostgreSQL writes it, because a JavaScript
 * number can't hold every amount; this is the only place that knows the shape.
 */
export function invoiceFields(db: Queryable) {
  return db`
    'id', invoices.id, 'companyId', invoices.company_id, 'number', invoices.number, 'reference', invoices.reference,
    'billToId', invoices.bill_to_id, 'paymentId', invoices.payment_id, 'startAt', iso_instant(invoices.start_at),
    'endAt', iso_instant(invoices.end_at),
    'method', invoices.method, 'status', invoices.status, 'state', ${invoiceState(db)},
    'reverseCharge', invoices.reverse_charge, 'currency', invoices.currency,
    'taxRate', coalesce(trim_scale(invoices.tax_rate)::text, ''), 'taxes', coalesce(invoices.taxes, json_build_array(json_build_object(
      'rate', trim_scale(invoices.tax_rate)::text, 'net', money_text(invoices.sub_total, invoices.minor_unit_digits),
      'tax', money_text(invoices.tax, invoices.minor_unit_digits)))), 'details', invoices.details,
    'subTotal', money_text(invoices.sub_total, invoices.minor_unit_digits),
    'tax', money_text(invoices.tax, invoices.minor_unit_digits),
    'total', money_text(invoices.total, invoices.minor_unit_digits),
    'metadata', CASE
      WHEN invoices.credit_used = 0 THEN invoices.metadata
      ELSE coalesce(invoices.metadata, '{}')
        || jsonb_build_object('creditAmount', money_text(invoices.credit_used, invoices.minor_unit_digits))
    END,
    'creditedTotal', money_text(invoices.credited_total, invoices.minor_unit_digits),
    'refundedTotal', money_text(invoices.refunded_total, invoices.minor_unit_digits), 'voidedAt', iso_instant(invoices.voided_at),
    'dueAt', iso_instant(invoices.due_at),
    'createdAt', iso_instant(invoices.created_at), 'updatedAt', iso_instant(invoices.updated_at)`;
}

export type InvoiceEvent = { companyId: string; invoiceId: string; eventId: string };

/**
 * Writes an event of this type for each of so many invoices, of whatever companies, with the Invoice as it is now. Each is looked up by
 * its key: taken for a join, the planner reads the whole table, since it does not know how few are given.
 */
export async function insertInvoiceEvents(tx: Tx, type: string, events: readonly InvoiceEvent[]): Promise<void> {
  await tx`
    WITH changes AS (
      SELECT invoices.company_id, given."eventId" AS id, ${type} AS type, json_build_object(${invoiceFields(tx)}) AS data
      FROM json_to_recordset(${JSON.stringify(events)}::text::json) AS given ("companyId" uuid, "invoiceId" uuid, "eventId" uuid)
      CROSS JOIN LATERAL (
        SELECT * FROM invoices WHERE company_id = given."companyId" AND id = given."invoiceId" OFFSET 0
      ) AS invoices
    ), ${recordingParts(tx)}
    SELECT 1`;
}

/** Writes an event of this type with the invoice's latest payment, as the list shows it. */
export async function insertPaymentEvent(
  tx: Tx,
  companyId: string,
  { type, invoiceId, eventId }: { type: string; invoiceId: string; eventId: string },
): Promise<void> {
  await tx`
    WITH changes AS (
      SELECT company_id, ${eventId}::uuid AS id, ${type} AS type, ${latestPayment(tx)} AS data
      FROM invoices WHERE company_id = ${companyId} AND id = ${invoiceId}
    ), ${recordingParts(tx)}
    SELECT 1`;
}

/** The Invoice as JSON text, or null when the company has none with this id. */
export async function selectInvoice(db: Queryable, companyId: string, id: string): Promise<string | null> {
  const [row] = await db<{ json: string }[]>`
    SELECT json_build_object(${invoiceFields(db)})::text AS json FROM invoices WHERE company_id = ${companyId} AND id = ${id}`;
  return row?.json ?? null;
}

export type InvoiceToCharge = {
  status: 'Processing' | 'Succeeded' | 'Failed';
  isVoided: boolean;
  method: string;
  currency: string;
  /** What is to be paid, in major units: the total without what was credited before. */
  amountDue: string;
};

/** Locks the invoice until the transaction ends; null when the company has none with this id. */
export async function lockInvoice(tx: Tx, companyId: string, id: string): Promise<InvoiceToCharge | null> {
  const [row] = await tx<InvoiceToCharge[]>`
    SELECT status, voided_at IS NOT NULL AS "isVoided", method, currency, total - credited_total AS "amountDue"
    FROM invoices WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return row ?? null;
}

/** Processing or Failed → Succeeded, with what of it this payment paid with credit, and its event. Not when it was Succeeded before. */
export async function markSucceeded(
  tx: Tx,
  companyId: string,
  id: string,
  { paymentId, eventId }: { paymentId: string; eventId: string },
): Promise<void> {
  await tx`
    WITH changes AS (
      UPDATE invoices
      SET status = 'Succeeded', payment_id = payments.id, credit_used = payments.credit_minor / 10::numeric ^ minor_unit_digits,
          settled_by_credit_notes = credited_total = total AND total > 0, updated_at = now()
      FROM payments
      WHERE invoices.company_id = ${companyId} AND invoices.id = ${id} AND invoices.status <> 'Succeeded'
        AND payments.company_id = ${companyId} AND payments.id = ${paymentId}
      RETURNING invoices.company_id, ${eventId}::uuid AS id, 'invoice.succeeded' AS type,
                json_build_object(${invoiceFields(tx)}) AS data
    ), ${recordingParts(tx)}
    SELECT 1`;
}

/** Failed → Processing. */
export async function markProcessing(tx: Tx, companyId: string, id: string): Promise<void> {
  await tx`
    UPDATE invoices SET status = 'Processing', updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND status = 'Failed'`;
}

/** Processing → Failed, with its event; a Succeeded invoice stays so. */
export async function markFailed(tx: Tx, companyId: string, id: string, eventId: string): Promise<void> {
  await tx`
    WITH changes AS (
      UPDATE invoices SET status = 'Failed', updated_at = now()
      WHERE company_id = ${companyId} AND id = ${id} AND status = 'Processing'
      RETURNING company_id, ${eventId}::uuid AS id, 'invoice.failed' AS type, json_build_object(${invoiceFields(tx)}) AS data
    ), ${recordingParts(tx)}
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

/** A period starts before it ends, so an invoice that ends in time starts in time; by that the index is entered at the right place. */
function matches(db: Queryable, companyId: string, filter: InvoiceFilter) {
  return db`invoices.company_id = ${companyId}
    ${filter.id === null ? db`` : db`AND invoices.id = ${filter.id}`}
    ${filter.number === null ? db`` : db`AND invoices.number = ${filter.number}`}
    ${filter.min === null ? db`` : db`AND invoices.total >= ${filter.min}::text::numeric`}
    ${filter.max === null ? db`` : db`AND invoices.total <= ${filter.max}::text::numeric`}
    ${filter.status === null ? db`` : db`AND invoices.status = ${filter.status}`}
    ${filter.method === null ? db`` : db`AND invoices.method = ${filter.method}`}
    ${filter.state === null ? db`` : db`AND ${fitsState(db, filter.state)}`}
    ${filter.startAt === null ? db`` : db`AND invoices.start_at >= ${filter.startAt}`}
    ${filter.endAt === null ? db`` : db`AND invoices.end_at <= ${filter.endAt} AND invoices.start_at < ${filter.endAt}`}`;
}

/**
 * `byStatusAndMethod` counts with those two filters alone; `changes` stands still exactly as long as the company's invoices do.
 * `data` is the page as JSON text, newest period first, each invoice with its latest payment; null for more than is read at once.
 * `ids` are its invoices.
 */
export type InvoicePage = { byStatusAndMethod: string; changes: string; ids: string; data: string | null };

/** Finds the page that the filter has at this place. */
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
 * The page of these invoices, as `InvoicePage.ids` names them. It is the filter's page if `changes` still reads as it did then.
 * Costs the same whatever the filter, and however far from the newest invoice the page is.
 */
export async function selectInvoicesAgain(
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

/** Names and values that stand in the JSON of a payment beside the rest; lists have none. */
type PaymentParts = ReturnType<typeof paymentFields> | null;

/** The latest payment of the row of `invoices`, as JSON; null without any. */
export function latestPayment(db: Queryable, more: PaymentParts = null) {
  return db`(
    SELECT ${paymentJson(db, more)}
    FROM payments
    ${joinPaymentSources(db)}
    WHERE payments.company_id = invoices.company_id AND payments.invoice_id = invoices.id
    ORDER BY payments.created_at DESC, payments.id DESC
    LIMIT 1
  )`;
}

/** All payments of the row of `invoices`, as a JSON array, the oldest first. */
export function allPayments(db: Queryable, more: PaymentParts = null) {
  return db`(
    SELECT coalesce(json_agg(${paymentJson(db, more)} ORDER BY payments.created_at, payments.id), '[]')
    FROM payments
    ${joinPaymentSources(db)}
    WHERE payments.company_id = invoices.company_id AND payments.invoice_id = invoices.id
  )`;
}

/** The card or the account of the row of `payments`. */
export function joinPaymentSources(db: Queryable) {
  return db`
    LEFT JOIN cards ON cards.company_id = payments.company_id AND cards.id = payments.card_id
    LEFT JOIN paypal_accounts ON paypal_accounts.company_id = payments.company_id AND paypal_accounts.id = payments.paypal_account_id`;
}

/** From a row of `payments` with its `cards`, its `paypal_accounts` and its `invoices`. */
function paymentJson(db: Queryable, more: PaymentParts) {
  return db`json_build_object(${paymentFields(db)} ${more === null ? db`` : db`, ${more}`})`;
}

/** The names and values of what every answer says of a row of `payments`, with its `cards`, its `paypal_accounts` and its `invoices`. */
export function paymentFields(db: Queryable) {
  return db`
    'id', payments.id, 'invoiceId', payments.invoice_id, 'cardId', payments.card_id, 'method', payments.method,
    'gateway', payments.gateway, 'amount', money_text(payments.amount_minor / 10::numeric ^ invoices.minor_unit_digits,
    invoices.minor_unit_digits), 'creditAmount', money_text(payments.credit_minor / 10::numeric ^ invoices.minor_unit_digits,
    invoices.minor_unit_digits), 'currency', payments.currency,
    'status', CASE payments.state
      WHEN 'captured' THEN 'Succeeded' WHEN 'failed' THEN 'Failed' WHEN 'needs_review' THEN 'NeedsReview' ELSE 'Processing'
    END,
    'failureReason', payments.failure_reason, 'declineCode', payments.decline_code,
    'initiator', CASE WHEN payments.collection_attempt IS NULL THEN 'manual' ELSE 'automatic' END,
    'card', CASE WHEN cards.id IS NOT NULL THEN json_build_object(
      'brand', cards.brand, 'cardNumber', mask_card_number(cards.first_four, cards.last_four, cards.number_length)
    ) END,
    'paypalAccount', CASE WHEN paypal_accounts.id IS NOT NULL THEN json_build_object(
      'id', paypal_accounts.id, 'email', paypal_accounts.email
    ) END,
    'createdAt', iso_instant(payments.created_at), 'updatedAt', iso_instant(payments.updated_at)`;
}

/** How many invoices match, and the counter of changes that this holds for. */
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
