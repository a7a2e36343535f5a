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
