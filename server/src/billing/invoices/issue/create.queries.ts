import type { Queryable } from '../../../platform/database/database.ts';
import type { Json } from '../../../platform/http/schema/json.ts';
import { invoiceFields } from '../record/invoices.parts.queries.ts';
import type { Invoice } from '../record/invoices.schema.ts';

/** An invoice that has no number yet. */
export type InvoiceDraft = {
  companyId: string;
  id: string;
  startAt: Date;
  endAt: Date;
  method: string;
  currency: string;
  minorUnitDigits: number;
  /** Percent; null if there are several rates, which are then in `taxes`. */
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

/**
 * Reads the company's invoice of this debt as JSON text, and whether it equals the draft; null if there is none. Invoices from before debts
 * were stored have only their id as the debt.
 */
export async function selectInvoiceOfDebt(
  db: Queryable,
  companyId: string,
  { debt, reference, startAt, endAt, method, currency, taxRate, details, metadata }: InvoiceDraft,
): Promise<{ json: Json<typeof Invoice>; isSame: boolean } | null> {
  const [row] = await db<{ json: Json<typeof Invoice>; isSame: boolean }[]>`
    SELECT json_build_object(${invoiceFields(db)})::text AS json,
           (start_at, end_at, method, currency, tax_rate, details::text, metadata) IS NOT DISTINCT FROM
             (${startAt}::timestamptz(3), ${endAt}::timestamptz(3), ${method}, ${currency}, ${taxRate}::text::numeric, ${details},
              ${metadata}::text::jsonb) AS "isSame"
    FROM invoices
    WHERE company_id = ${companyId} AND (debt = ${debt} OR (debt IS NULL AND id::text = lower(${reference})))`;
  return row ?? null;
}
