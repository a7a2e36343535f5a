import type { Queryable } from '../../../platform/database/database.ts';

/** The names and values that every answer shows of a row `notes` of `credit_notes`, with its `invoices`. */
export function creditNoteFields(db: Queryable) {
  return db`
    'id', notes.id, 'companyId', notes.company_id, 'number', notes.number, 'reference', notes.reference, 'invoiceId', notes.invoice_id,
    'invoiceNumber', invoices.number, 'reason', notes.reason, 'currency', invoices.currency,
    'taxRate', coalesce(trim_scale(invoices.tax_rate)::text, ''), 'taxes', coalesce(notes.taxes, json_build_array(json_build_object(
      'rate', trim_scale(invoices.tax_rate)::text, 'net', money_text(notes.sub_total, invoices.minor_unit_digits),
      'tax', money_text(notes.tax, invoices.minor_unit_digits)))), 'details', notes.details,
    'subTotal', money_text(notes.sub_total, invoices.minor_unit_digits),
    'tax', money_text(notes.tax, invoices.minor_unit_digits), 'total', money_text(notes.total, invoices.minor_unit_digits),
    'afterPayment', notes.after_payment, 'createdAt', iso_instant(notes.created_at)`;
}
