import { isInvoiceOpen } from '../../../billing/invoices/record/state.parts.queries.ts';
import type { Tx } from '../../../platform/database/database.ts';

/** What a lost document is called. `total` is in major units; the currency is null where it is not known. */
export type LostDocument = {
  number: string;
  total: string;
  currency: string | null;
  /** Whether another document has the number. */
  isNumberTaken: boolean;
};

/** Reads the number, total and currency of the journal's document of an invoice or a credit note, digit for digit. */
export async function readLostDocument(tx: Tx, companyId: string, document: string): Promise<LostDocument> {
  const isIt = tx`number = given ->> 'number' AND (number_series IS NOT NULL OR company_id = ${companyId})`;
  const [row] = await tx<[LostDocument]>`
    SELECT given ->> 'number' AS number, given ->> 'total' AS total,
           coalesce(given ->> 'currency', (
             SELECT currency FROM invoices WHERE company_id = ${companyId} AND id = (given ->> 'invoice_id')::uuid
           )) AS currency,
           EXISTS (SELECT FROM invoices WHERE ${isIt}) OR EXISTS (SELECT FROM credit_notes WHERE ${isIt}) AS "isNumberTaken"
    FROM (SELECT ${document}::text::json AS given) AS one`;
  return row;
}

/** Makes an invoice of the company wait for a release, if it is open. @returns its number; null if it is not open or not here */
export async function markAwaitsRelease(tx: Tx, companyId: string, invoiceId: string): Promise<string | null> {
  const [row] = await tx<{ number: string }[]>`
    WITH waiting AS (
      INSERT INTO collections (company_id, invoice_id, due_at, state, awaits_release)
      SELECT company_id, id, due_at, 'manual', true FROM invoices
      WHERE company_id = ${companyId} AND id = ${invoiceId} AND ${isInvoiceOpen(tx)}
      ON CONFLICT (company_id, invoice_id) DO UPDATE SET awaits_release = true, updated_at = now()
      RETURNING invoice_id
    )
    SELECT number FROM invoices JOIN waiting ON id = invoice_id WHERE company_id = ${companyId}`;
  return row?.number ?? null;
}
