import { recordingParts } from '../../../outbox/events/events.service.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invoiceFields } from './invoices.parts.queries.ts';

export type InvoiceEvent = { companyId: string; invoiceId: string; eventId: string };

/**
 * Inserts an event of this type for each of these invoices of any companies, with the current Invoice. Each invoice is looked up by its
 * key: for a join, the planner would read the whole table, because it does not know how few are given.
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
