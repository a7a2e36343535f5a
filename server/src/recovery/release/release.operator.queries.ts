import { isInvoiceOpen } from '../../billing/invoices/invoices.service.ts';
import type { Tx } from '../../platform/database/database.ts';

/** Whether a person has declared a journal lost since an instant. */
export async function selectIsJournalLost(tx: Tx, since: Date): Promise<boolean> {
  const rows = await tx`SELECT 1 FROM journals WHERE lost_at >= ${since} LIMIT 1`;
  return rows.length === 1;
}

/** Makes every open invoice, of any company, wait for a release. An old invoice may have no collection yet. @returns how many there are */
export async function markOpenInvoices(tx: Tx): Promise<number> {
  const marked = await tx`
    INSERT INTO collections (company_id, invoice_id, due_at, state, awaits_release)
    SELECT company_id, id, due_at, 'manual', true FROM invoices WHERE ${isInvoiceOpen(tx)}
    ORDER BY company_id, id
    ON CONFLICT (company_id, invoice_id) DO UPDATE SET awaits_release = true, updated_at = now()`;
  return marked.count;
}

export type ReleasedInvoice = { number: string; isOpen: boolean };

/** Lets the invoices with these numbers be charged again, or all if `numbers` is null. @returns those that waited */
export async function releaseWaiting(tx: Tx, numbers: readonly string[] | null): Promise<ReleasedInvoice[]> {
  const isNamed =
    numbers === null
      ? tx``
      : tx`AND invoices.number IN (SELECT json_array_elements_text(${JSON.stringify(numbers)}::text::json))`;
  return tx<ReleasedInvoice[]>`
    UPDATE collections SET awaits_release = false, updated_at = now()
    FROM invoices
    WHERE awaits_release AND invoices.company_id = collections.company_id AND invoices.id = invoice_id ${isNamed}
    RETURNING invoices.number, ${isInvoiceOpen(tx)} AS "isOpen"`;
}
