import type { Queryable, Tx } from '../../platform/database/database.ts';

/** What the database has of the company and the invoice that an object was made for. */
export type OwnerRow = {
  isCompanyHere: boolean;
  invoice: { id: string; number: string } | null;
  /** Of the charged card or account, if it is here. */
  method: 'Card' | 'paypal' | null;
};

/** Reads what the company has of a debt: its invoice, by the debt's name, else by the invoice's id. Never by its number. */
export async function selectOwner(
  db: Queryable,
  companyId: string,
  { debt, invoiceId, sourceId }: { debt: string | null; invoiceId: string | null; sourceId: string | null },
): Promise<OwnerRow> {
  const [row] = await db<[OwnerRow]>`
    SELECT EXISTS (SELECT FROM companies WHERE id = ${companyId}) AS "isCompanyHere",
           (SELECT json_build_object('id', id, 'number', number) FROM invoices
            WHERE company_id = ${companyId} AND (debt = ${debt} OR id = ${invoiceId} OR (debt IS NULL AND debt_of(invoices) = ${debt}))
            ORDER BY debt_of(invoices) = ${debt} DESC NULLS LAST LIMIT 1) AS invoice,
           CASE WHEN EXISTS (SELECT FROM cards WHERE company_id = ${companyId} AND id = ${sourceId}) THEN 'Card'
                WHEN EXISTS (SELECT FROM paypal_accounts WHERE company_id = ${companyId} AND id = ${sourceId}) THEN 'paypal' END AS method`;
  return row;
}

/** A payment that has an object of a gateway. */
export type BookedPayment = {
  companyId: string;
  id: string;
  invoiceId: string;
  state: string;
  currency: string;
  gateway: string;
};

/** Reads the payment, of any company and in any state, that has this object at the gateway; null when the books lack it. */
export async function selectPaymentAt(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
): Promise<BookedPayment | null> {
  const [row] = await db<BookedPayment[]>`
    SELECT company_id AS "companyId", id, invoice_id AS "invoiceId", state, currency, gateway FROM payments
    WHERE gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId}`;
  return row ?? null;
}

/** A captured payment of which the gateway has a refund that the books lack. */
export type RefundedPayment = { companyId: string; id: string; invoiceId: string; gatewayPaymentId: string };

/** Returns the captured payments that these refunds at the gateway are of, if the books lack one of them. */
export async function selectRefunded(
  db: Queryable,
  gateway: string,
  refunds: readonly { id: string; gatewayPaymentId: string }[],
): Promise<RefundedPayment[]> {
  return db<RefundedPayment[]>`
    SELECT DISTINCT company_id AS "companyId", payments.id, invoice_id AS "invoiceId", gateway_payment_id AS "gatewayPaymentId"
    FROM json_to_recordset(${JSON.stringify(refunds)}::text::json) AS given (id text, "gatewayPaymentId" text)
    JOIN payments ON gateway = ${gateway} AND gateway_payment_id = given."gatewayPaymentId" AND state = 'captured'
    WHERE NOT EXISTS (SELECT FROM refunds WHERE refunds.gateway = ${gateway} AND gateway_refund_id = given.id)`;
}

/** Reads the credit note that a refund had before the database went back, as a journal says; null if it is not here, or none is known. */
export async function selectFormerCreditNote(
  tx: Tx,
  { companyId, invoiceId }: Pick<RefundedPayment, 'companyId' | 'invoiceId'>,
  refundId: string,
): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    SELECT credit_notes.id FROM missing_marks
    JOIN credit_notes ON credit_notes.company_id = missing_marks.company_id AND credit_notes.id = credit_note_id
    WHERE missing_marks.company_id = ${companyId} AND mark = ${refundId} AND invoice_id = ${invoiceId}`;
  return row?.id ?? null;
}

/** Reads the gateway's ids of the disputes that are not decided in the books. */
export async function selectOpenDisputes(db: Queryable, gateway: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT DISTINCT gateway_dispute_id AS id FROM disputes WHERE gateway = ${gateway} AND state IN ('needs_response', 'under_review')`;
  return rows.map(({ id }) => id);
}

/** A payment without an outcome. */
export type RunningPayment = { companyId: string; id: string; invoiceId: string; gatewayPaymentId: string | null };

/** Reads the payments at a gateway, of all companies, that have no outcome yet. */
export async function selectRunning(db: Queryable, gateway: string): Promise<RunningPayment[]> {
  return db<RunningPayment[]>`
    SELECT company_id AS "companyId", id, invoice_id AS "invoiceId", gateway_payment_id AS "gatewayPaymentId" FROM payments
    WHERE gateway = ${gateway} AND state IN ('created', 'sending', 'requires_action', 'processing', 'unknown')`;
}

/**
 * Of the payments at a gateway that wait for their customer or their bank, which takes days, reads those that have ended according to an
 * open case: a refund of them, or a credit note of their invoice.
 */
export async function selectAwaited(db: Queryable, gateway: string): Promise<RunningPayment[]> {
  return db<RunningPayment[]>`
    WITH open_cases AS (
      SELECT source, kind, content::json AS content FROM recovery_cases WHERE state = 'open' AND content IS NOT NULL
    )
    SELECT company_id AS "companyId", id, invoice_id AS "invoiceId", gateway_payment_id AS "gatewayPaymentId" FROM payments
    WHERE gateway = ${gateway} AND state IN ('requires_action', 'processing') AND (
      gateway_payment_id IN (SELECT content ->> 'gatewayPaymentId' FROM open_cases WHERE source = 'gateway' AND kind = 'refund')
      OR invoice_id::text IN (SELECT content ->> 'invoice_id' FROM open_cases WHERE source = 'journal' AND kind = 'credit_note')
    )`;
}

/** Reads the payment that was captured last through a gateway, within three months: gateways forget old ones. */
export async function selectNewestCapture(
  db: Queryable,
  gateway: string,
): Promise<{ id: string; gatewayPaymentId: string } | null> {
  const [row] = await db<{ id: string; gatewayPaymentId: string }[]>`
    SELECT id, gateway_payment_id AS "gatewayPaymentId" FROM payments
    WHERE gateway = ${gateway} AND state = 'captured' AND gateway_payment_id IS NOT NULL AND created_at > now() - interval '90 days'
    ORDER BY created_at DESC, id DESC LIMIT 1`;
  return row ?? null;
}
