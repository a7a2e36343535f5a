import type { Queryable } from '../../platform/database/database.ts';
import { type InvoiceLine, invoiceLine } from './invoices.file.parts.queries.ts';
import { type InvoiceFilter, matchesInvoice } from './invoices.queries.ts';

/** The company's matching invoices after the last one, newest period first, as lines of a file. */
export async function selectInvoiceLines(
  db: Queryable,
  companyId: string,
  filter: InvoiceFilter,
  { last, limit }: { last: InvoiceLine | null; limit: number },
): Promise<InvoiceLine[]> {
  const after = last === null ? db`` : db`AND (start_at, id) < (${last.startAt}::timestamptz, ${last.id}::uuid)`;
  return db<InvoiceLine[]>`
    SELECT ${invoiceLine(db)} FROM invoices WHERE ${matchesInvoice(db, companyId, filter)} ${after}
    ORDER BY invoices.start_at DESC, invoices.id DESC LIMIT ${limit}`;
}
