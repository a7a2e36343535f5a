import type { Tx } from '../../../platform/database/database.ts';
import type { InvoiceDraft } from './create.queries.ts';
import { buyerSnapshot, sellerSnapshot } from './snapshots.parts.queries.ts';

/** `numberSeries` is the prefix of the number's series. */
export type NewInvoice = InvoiceDraft & { number: string; numberSeries: string };

/** `hasSeller` says whether the invoice names its seller. */
export type InsertedInvoice = { companyId: string; id: string; number: string; hasSeller: boolean };

/**
 * Inserts an invoice for each of these companies, with the current seller and buyer. The due date follows from the issue date and the
 * company's current settings.
 */
export async function insertInvoices(
  tx: Tx,
  invoices: readonly NewInvoice[],
  issuedAt: Date,
): Promise<InsertedInvoice[]> {
  return tx<InsertedInvoice[]>`
    WITH given AS MATERIALIZED (
      SELECT given.*, billing.id AS "billToId", companies.net_days AS "netDays"
      FROM json_to_recordset(${writeRows(invoices)}::text::json) AS given (
        "companyId" uuid, id uuid, number text, "numberSeries" text, "startAt" timestamptz, "endAt" timestamptz, method text,
        currency text, "minorUnitDigits" smallint, "taxRate" numeric, taxes json, "subTotal" numeric, tax numeric, total numeric,
        details json, metadata jsonb, reference text, debt text, "reverseCharge" boolean
      )
      JOIN billing_information AS billing ON billing.company_id = given."companyId"
      JOIN companies ON companies.id = given."companyId"
    )
    INSERT INTO invoices (company_id, id, number, number_series, bill_to_id, start_at, end_at, method, currency, minor_unit_digits,
                          tax_rate, taxes, sub_total, tax, total, details, metadata, reference, debt, reverse_charge,
                          buyer, seller, due_at)
    SELECT "companyId", id, number, "numberSeries", "billToId", "startAt", "endAt", method, currency, "minorUnitDigits", "taxRate",
           CASE WHEN "taxRate" IS NULL THEN taxes END, "subTotal", tax, total, details, metadata, reference, debt, "reverseCharge",
           ${buyerSnapshot(tx, tx`"companyId"`)}, ${sellerSnapshot(tx)}, ${issuedAt}::timestamptz + make_interval(hours => 24 * "netDays")
    FROM given
    RETURNING company_id AS "companyId", id, number, seller ->> 'name' <> '' AS "hasSeller"`;
}

/** Writes rows as JSON text that contains `details` unchanged, digit for digit. */
function writeRows(invoices: readonly NewInvoice[]): string {
  const rows = invoices.map(({ details, metadata, ...invoice }) => {
    const fields = JSON.stringify(invoice);
    return `${fields.slice(0, -1)},"details":${details},"metadata":${metadata}}`;
  });
  return `[${rows.join()}]`;
}
