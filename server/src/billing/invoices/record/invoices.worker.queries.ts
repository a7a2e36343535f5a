import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { type InvoiceEventType, invoiceEvents } from './invoices.events.ts';
import { invoiceEventId, invoiceFields } from './invoices.parts.queries.ts';

export type InvoiceKey = { companyId: string; id: string };

/**
 * Inserts an event of this type for each of these invoices of any companies, with the current Invoice. Each invoice is looked up by its
 * key: for a join, the planner would read the whole table, because it does not know how few are given.
 */
export async function insertInvoiceEvents(
  tx: Tx,
  type: InvoiceEventType,
  invoices: readonly InvoiceKey[],
): Promise<void> {
  await tx`
    WITH changes AS (
      SELECT invoices.company_id, ${invoiceEventId(tx, type)} AS id, ${type} AS type, json_build_object(${invoiceFields(tx)}) AS data
      FROM json_to_recordset(${JSON.stringify(invoices)}::text::json) AS given ("companyId" uuid, id uuid)
      CROSS JOIN LATERAL (
        SELECT * FROM invoices WHERE company_id = given."companyId" AND id = given.id OFFSET 0
      ) AS invoices
    ), ${invoiceEvents.recordingParts(tx, type)}
    SELECT 1`;
}

/** Adds what has changed of the sums of invoices to them. Any number of processes may do it. */
export async function addInvoiceSumChanges(db: Queryable): Promise<void> {
  await db`SELECT add_invoice_sum_changes()`;
}
