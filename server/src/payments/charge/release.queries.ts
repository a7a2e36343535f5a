import type { Queryable } from '../../platform/database/database.ts';

/** Whether the invoice was open when a hold ended without all journals, and nobody has released it yet. */
export async function selectAwaitsRelease(db: Queryable, companyId: string, invoiceId: string): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM collections WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND awaits_release`;
  return rows.length === 1;
}
