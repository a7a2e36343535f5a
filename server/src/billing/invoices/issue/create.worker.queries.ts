import type { Tx } from '../../../platform/database/database.ts';
import { numberingParts } from '../../numbering/numbering.service.ts';
import { INVOICE_DOCUMENT } from '../record/invoices.parts.queries.ts';
import type { InvoiceDraft } from './create.queries.ts';
import { buyerSnapshot, sellerSnapshot } from './snapshots.parts.queries.ts';

/** `hasSeller` says whether the invoice names its seller; `document` is what the journal keeps. */
export type InsertedInvoice = {
  companyId: string;
  companyExternalId: string | null;
  id: string;
  number: string;
  hasSeller: boolean;
  document: string;
};

/**
 * Inserts an invoice for each of these companies, at most one for each, with the next number, the current seller and buyer; none for an
 * unknown company. The due date follows from the issue date and the company's current settings. The numbers are allocated in this
 * statement, so that their series is locked for no longer than it takes to insert and to commit.
 */
export async function insertInvoices(
  tx: Tx,
  drafts: readonly InvoiceDraft[],
  issuedAt: Date,
): Promise<InsertedInvoice[]> {
  const companyIds = drafts.map(({ companyId }) => companyId);
  return tx<InsertedInvoice[]>`
    WITH given AS MATERIALIZED (
      SELECT given.*, billing.id AS "billToId", companies.net_days AS "netDays"
      FROM json_to_recordset(${writeRows(drafts)}::text::json) AS given (
        "companyId" uuid, id uuid, "startAt" timestamptz, "endAt" timestamptz, method text,
        currency text, "minorUnitDigits" smallint, "taxRate" numeric, taxes json, "subTotal" numeric, tax numeric, total numeric,
        details json, metadata jsonb, reference text, debt text, "reverseCharge" boolean
      )
      JOIN billing_information AS billing ON billing.company_id = given."companyId"
      JOIN companies ON companies.id = given."companyId"
    ), ${numberingParts(tx, companyIds, 'invoice')}
    INSERT INTO invoices (company_id, id, number, number_series, bill_to_id, start_at, end_at, method, currency, minor_unit_digits,
                          tax_rate, taxes, sub_total, tax, total, details, metadata, reference, debt, reverse_charge,
                          buyer, seller, due_at)
    SELECT "companyId", id, number, series, "billToId", "startAt", "endAt", method, currency, "minorUnitDigits", "taxRate",
           CASE WHEN "taxRate" IS NULL THEN taxes END, "subTotal", tax, total, details, metadata, reference, debt, "reverseCharge",
           ${buyerSnapshot(tx, tx`"companyId"`)}, ${sellerSnapshot(tx)}, ${issuedAt}::timestamptz + make_interval(hours => 24 * "netDays")
    FROM given JOIN numbered ON numbered.company_id = "companyId"
    RETURNING company_id AS "companyId", id, number, seller ->> 'name' <> '' AS "hasSeller",
              (${tx.unsafe(INVOICE_DOCUMENT)})::text AS document,
              (SELECT external_id FROM companies WHERE companies.id = invoices.company_id) AS "companyExternalId"`;
}

/** Writes rows as JSON text that contains `details` unchanged, digit for digit. */
function writeRows(invoices: readonly InvoiceDraft[]): string {
  const rows = invoices.map(({ details, metadata, ...invoice }) => {
    const fields = JSON.stringify(invoice);
    return `${fields.slice(0, -1)},"details":${details},"metadata":${metadata}}`;
  });
  return `[${rows.join()}]`;
}
