import { constantPart, type Part, type Queryable } from '../../../platform/database/database.ts';
import type { InvoiceKey } from '../record/invoices.worker.queries.ts';
import { amountDue } from '../record/state.parts.queries.ts';

/** What the mail about the row of `invoices` tells, as jsonb. */
export const issuedFacts = constantPart(
  (db) => db`
    jsonb_build_object(
      'about', invoices.number, 'total', money_text(invoices.total, invoices.minor_unit_digits),
      'due', money_text(${amountDue(db)}, invoices.minor_unit_digits), 'currency', invoices.currency,
      'dueAt', iso_instant(invoices.due_at), 'startAt', iso_instant(invoices.start_at), 'endAt', iso_instant(invoices.end_at),
      'timezone', invoices.buyer ->> 'timezone')`,
);

/** A mail for each of these invoices, as `mailCompanies` takes them. Each is looked up by its key. */
export function issuedMails(db: Queryable, invoices: readonly InvoiceKey[]): Part {
  const keys = JSON.stringify(invoices.map(({ companyId, id }) => ({ companyId, id })));
  return db`
    SELECT invoices.company_id, invoices.id AS invoice_id, ${issuedFacts(db)} AS facts, 0 AS wait_seconds
    FROM json_to_recordset(${keys}::text::json) AS given ("companyId" uuid, id uuid)
    CROSS JOIN LATERAL (
      SELECT * FROM invoices WHERE company_id = given."companyId" AND id = given.id OFFSET 0
    ) AS invoices`;
}
