import { amountDue } from '../../billing/invoices/record/state.parts.queries.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';

/** The payment that has paid an invoice, and the last of the postings about the invoice. */
export async function selectBefore(
  tx: Tx,
  companyId: string,
  invoiceId: string,
): Promise<{ paymentId: string | null; lastPosting: string }> {
  const [row] = await tx<[{ paymentId: string | null; lastPosting: string }]>`
    SELECT CASE WHEN status = 'Succeeded' THEN payment_id END AS "paymentId",
           (SELECT coalesce(max(number), 0) FROM ledger_postings WHERE company_id = ${companyId} AND invoice_id = ${invoiceId})::text
             AS "lastPosting"
    FROM invoices WHERE company_id = ${companyId} AND id = ${invoiceId}`;
  return row;
}

export type SumRow = { account: string; currency: string; amountMinor: string };

/** The sum of the postings about an invoice after one of them, by account, in the order of the first of each. */
export async function sumPostingsAfter(
  tx: Tx,
  companyId: string,
  { invoiceId, lastPosting }: { invoiceId: string; lastPosting: string },
): Promise<SumRow[]> {
  return tx<SumRow[]>`
    SELECT account, currency, sum(amount_minor)::text AS "amountMinor"
    FROM ledger_postings
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND number > ${lastPosting}::text::bigint
    GROUP BY account, currency HAVING sum(amount_minor) <> 0
    ORDER BY min(number)`;
}

/** What is due on an invoice, in major units. */
export async function selectAmountDue(db: Queryable, companyId: string, invoiceId: string): Promise<string> {
  const [row] = await db<[{ amountDue: string }]>`
    SELECT money_text(${amountDue(db)}, minor_unit_digits) AS "amountDue"
    FROM invoices WHERE company_id = ${companyId} AND id = ${invoiceId}`;
  return row.amountDue;
}
