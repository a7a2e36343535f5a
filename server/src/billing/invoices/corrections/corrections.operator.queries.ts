import type { Queryable } from '../../../platform/database/database.ts';

/** Finds the company of an invoice; null if there is no such invoice. */
export async function selectInvoiceCompany(db: Queryable, invoiceId: string): Promise<string | null> {
  const [row] = await db<{ companyId: string }[]>`
    SELECT company_id AS "companyId" FROM invoices WHERE id = ${invoiceId}`;
  return row?.companyId ?? null;
}
