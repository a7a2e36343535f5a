import type { Part, Queryable, Tx } from '../../../platform/database/database.ts';
import type { Json } from '../../../platform/http/schema/json.ts';
import { invoiceEvents } from './invoices.events.ts';
import { invoiceEventId, invoiceFields } from './invoices.parts.queries.ts';
import type { Invoice } from './invoices.schema.ts';
import { amountLeft } from './state.parts.queries.ts';

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
    SELECT status, voided_at IS NOT NULL AS "isVoided", method, currency, ${amountLeft(tx)} AS "amountDue"
    FROM invoices WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return row ?? null;
}

/**
 * The payment that pays all or the rest of an invoice, with SQL for what the row of `invoices` took of the credit, in minor units, and for
 * the payment's events: rows (company_id, id, type, data).
 */
export type PayingPayment = { paymentId: string; creditMinor: Part; events: Part };

/**
 * Sets a Processing or Failed invoice to Succeeded, with the credit that its payments used, and inserts the event, and the payment's.
 * @returns the Invoice as JSON text; null, and nothing is done, if it was Succeeded before
 */
export async function markSucceeded(
  tx: Tx,
  companyId: string,
  id: string,
  { paymentId, creditMinor, events }: PayingPayment,
): Promise<Json<typeof Invoice> | null> {
  const [row] = await tx<{ json: Json<typeof Invoice> }[]>`
    WITH paid AS (
      UPDATE invoices
      SET status = 'Succeeded', payment_id = ${paymentId}, credit_used = (${creditMinor}) / 10::numeric ^ minor_unit_digits,
          settled_by_credit_notes = credited_total = total AND total > 0, updated_at = now()
      WHERE company_id = ${companyId} AND id = ${id} AND status <> 'Succeeded'
      RETURNING company_id, ${invoiceEventId(tx, 'invoice.succeeded')} AS id, 'invoice.succeeded' AS type,
                json_build_object(${invoiceFields(tx)}) AS data
    ), changes AS (
      SELECT company_id, id, type, data FROM paid UNION ALL ${events}
    ), ${invoiceEvents.recordingParts(tx, 'invoice.succeeded')}
    SELECT data::text AS json FROM paid`;
  return row?.json ?? null;
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
