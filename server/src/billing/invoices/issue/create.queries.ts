import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { invoiceFields } from '../record/invoices.queries.ts';
import { buyerSnapshot, sellerSnapshot } from './snapshots.parts.queries.ts';

/** An invoice before it has its number. */
export type InvoiceDraft = {
  companyId: string;
  id: string;
  startAt: Date;
  endAt: Date;
  method: string;
  currency: string;
  minorUnitDigits: number;
  /** Percent; null when there are several, which `taxes` has then. */
  taxRate: string | null;
  taxes: { rate: string; net: string; tax: string }[] | null;
  subTotal: string;
  tax: string;
  total: string;
  /** JSON text of the line items. */
  details: string;
  /** JSON text or null. */
  metadata: string | null;
  reference: string | null;
  debt: string;
  /** Whether the buyer owes the tax in place of the seller. */
  reverseCharge: boolean;
};

/** `numberSeries` is the prefix of the number's series. */
export type NewInvoice = InvoiceDraft & { number: string; numberSeries: string };

/** `hasSeller`: whether it says who issues it. */
export type InsertedInvoice = { companyId: string; id: string; number: string; hasSeller: boolean };

/**
 * Inserts an invoice for each of so many companies, with its seller and its buyer as they are now, due so many days after its issue
 * as the company's settings say now.
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

/**
 * The company's invoice of this debt as JSON text, and whether it says what the draft says; null when there is none. Invoices from
 * before debts were written down have none but their id.
 */
export async function selectInvoiceOfDebt(
  db: Queryable,
  companyId: string,
  { debt, reference, startAt, endAt, method, currency, taxRate, details, metadata }: InvoiceDraft,
): Promise<{ json: string; isSame: boolean } | null> {
  const [row] = await db<{ json: string; isSame: boolean }[]>`
    SELECT json_build_object(${invoiceFields(db)})::text AS json,
           (start_at, end_at, method, currency, tax_rate, details::text, metadata) IS NOT DISTINCT FROM
             (${startAt}::timestamptz(3), ${endAt}::timestamptz(3), ${method}, ${currency}, ${taxRate}::text::numeric, ${details},
              ${metadata}::text::jsonb) AS "isSame"
    FROM invoices
    WHERE company_id = ${companyId} AND (debt = ${debt} OR (debt IS NULL AND id::text = lower(${reference})))`;
  return row ?? null;
}

/** JSON text in which `details` stands as it is, digit for digit. */
function writeRows(invoices: readonly NewInvoice[]): string {
  const rows = invoices.map(({ details, metadata, ...invoice }) => {
    const fields = JSON.stringify(invoice);
    return `${fields.slice(0, -1)},"details":${details},"metadata":${metadata}}`;
  });
  return `[${rows.join()}]`;
}
