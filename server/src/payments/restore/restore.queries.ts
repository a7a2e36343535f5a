import type { Tx } from '../../platform/database/database.ts';

/** The journal's document of a payment by credit alone, and what the database has in its place. */
export type CreditPaymentToRestore = {
  invoiceId: string;
  creditMinor: string;
  currency: string;
  hasCompany: boolean;
  hasInvoice: boolean;
  isPresent: boolean;
};

/** Reads the document of a payment, and what the database has in its place. */
export async function readPaymentToRestore(
  tx: Tx,
  companyId: string,
  { id, document }: { id: string; document: string },
): Promise<CreditPaymentToRestore> {
  const [row] = await tx<[CreditPaymentToRestore]>`
    SELECT given ->> 'invoiceId' AS "invoiceId", given ->> 'creditMinor' AS "creditMinor", given ->> 'currency' AS currency,
           EXISTS (SELECT FROM companies WHERE companies.id = ${companyId}) AS "hasCompany",
           EXISTS (SELECT FROM invoices WHERE company_id = ${companyId} AND invoices.id = (given ->> 'invoiceId')::uuid) AS "hasInvoice",
           EXISTS (SELECT FROM payments WHERE company_id = ${companyId} AND payments.id = ${id}) AS "isPresent"
    FROM (SELECT ${document}::text::json AS given) AS one`;
  return row;
}

/** The journal's document of a refund that returned credit alone, and what the database has in its place. */
export type CreditRefundToRestore = {
  id: string;
  paymentId: string;
  invoiceId: string;
  creditNoteId: string | null;
  gateway: string;
  creditMinor: string;
  currency: string;
  reason: string;
  idempotencyKey: string | null;
  hasCompany: boolean;
  hasPayment: boolean;
  hasCreditNote: boolean;
  isPresent: boolean;
};

/** Reads the document of a refund, and what the database has in its place. */
export async function readRefundToRestore(tx: Tx, companyId: string, document: string): Promise<CreditRefundToRestore> {
  const [row] = await tx<[CreditRefundToRestore]>`
    SELECT given.id, given.payment_id AS "paymentId", given.invoice_id AS "invoiceId", given.credit_note_id AS "creditNoteId",
           given.gateway, given.credit_minor::text AS "creditMinor", given.currency, given.reason,
           given.idempotency_key AS "idempotencyKey",
           EXISTS (SELECT FROM companies WHERE id = ${companyId}) AS "hasCompany",
           EXISTS (SELECT FROM payments WHERE company_id = ${companyId} AND id = given.payment_id) AS "hasPayment",
           given.credit_note_id IS NULL
             OR EXISTS (SELECT FROM credit_notes WHERE company_id = ${companyId} AND id = given.credit_note_id) AS "hasCreditNote",
           EXISTS (SELECT FROM refunds WHERE company_id = ${companyId} AND id = given.id) AS "isPresent"
    FROM json_populate_record(NULL::refunds, ${document}::text::json) AS given`;
  return row;
}
