import { lastingId } from '../../../outbox/events/events.parts.queries.ts';
import { constantPart, type Part, type Queryable } from '../../../platform/database/database.ts';
import { invoiceState } from './state.parts.queries.ts';

/** What the journal keeps of an invoice, from a row of `invoices`. */
export const INVOICE_DOCUMENT = 'row_to_json(invoices)';

/** The number of a company's invoice; null where there is no such invoice. */
export function invoiceNumber(db: Queryable, companyId: Part, invoiceId: Part): Part {
  return db`(
    SELECT numbered.number FROM invoices AS numbered WHERE numbered.company_id = ${companyId} AND numbered.id = ${invoiceId}
  )`;
}

/**
 * The Invoice of the API as JSON, from a row of `invoices`. PostgreSQL writes it, because a JavaScript number can't
 * hold every amount. The shape is defined only here.
 */
export const invoiceFields = constantPart(
  (db) => db`
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
    'createdAt', iso_instant(invoices.created_at), 'updatedAt', iso_instant(invoices.updated_at)`,
);

/**
 * The id of an event that happens to the row of `invoices` once, or once with this payment. After a restore a billing run may issue the
 * invoice with another number: then it is another event.
 */
export function invoiceEventId(db: Queryable, type: string, paymentId: string | null = null): Part {
  const number = db`invoices.number`;
  return lastingId(db, {
    companyId: db`invoices.company_id`,
    type: db`${type}::text`,
    id: db`invoices.id`,
    detail: paymentId === null ? number : db`${number}, ${paymentId}::uuid`,
  });
}

/** The rows of `invoice_sums` with what has changed of them since: how many invoices there are and what is due on them. */
export const invoiceSums = constantPart(
  (db) => db`(SELECT * FROM invoice_sums UNION ALL SELECT * FROM invoice_sum_changes)`,
);
