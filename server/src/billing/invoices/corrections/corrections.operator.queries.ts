import type { Queryable } from '../../../platform/database/database.ts';

/** Whose invoice this is; null when there is none with this id. */
export async function selectInvoiceCompany(db: Queryable, invoiceId: string): Promise<string | null> {
  const [row] = await db<{ companyId: string }[]>`
    SELECT company_id AS "companyId" FROM invoices WHERE id = ${invoiceId}`;
  return row?.companyId ?? null;
}
