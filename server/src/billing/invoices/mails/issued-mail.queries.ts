import type { Queryable } from '../../../platform/database/database.ts';
import { issuedFacts } from './issued-mail.parts.queries.ts';
import type { IssuedFacts } from './issued-mail.ts';

/** What a mail about this invoice, or about the company's newest, would tell now; null where there is none. */
export async function selectIssuedFacts(
  db: Queryable,
  companyId: string,
  invoiceId: string | null,
): Promise<Omit<IssuedFacts, 'sellerName'> | null> {
  const [row] = await db<{ facts: IssuedFacts }[]>`
    SELECT ${issuedFacts(db)} AS facts FROM invoices
    WHERE company_id = ${companyId} AND (${invoiceId}::uuid IS NULL OR id = ${invoiceId}) ORDER BY created_at DESC, id DESC LIMIT 1`;
  return row?.facts ?? null;
}
