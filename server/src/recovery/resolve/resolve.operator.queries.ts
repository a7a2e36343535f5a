import { amountLeft, isInvoiceOpen } from '../../billing/invoices/record/state.parts.queries.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { caseColumns } from '../marks/cases.parts.queries.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import type { WaitingInvoice } from '../schema/recovery.schema.ts';

/** Reads a case, of any company; null when there is none. */
export async function selectCase(db: Queryable, id: string): Promise<RecoveryCase | null> {
  const [row] = await db<RecoveryCase[]>`SELECT ${caseColumns(db)} FROM recovery_cases WHERE id = ${id}`;
  return row ?? null;
}

/** Ends the cases of a payment's object that waited for a person. */
export async function endCases(tx: Tx, gateway: string, gatewayPaymentId: string, note: string): Promise<void> {
  await tx`
    UPDATE recovery_cases SET state = 'done', note = ${note}, content = NULL, decided_at = now()
    WHERE source = 'gateway' AND kind = 'payment' AND gateway = ${gateway} AND object_id = ${gatewayPaymentId} AND state = 'person'`;
}

/** A capture that became credit of a company as a whole. `creditedMinor`: in minor units, as the database stores them. */
export type AcceptedCapture = {
  gateway: string;
  gatewayPaymentId: string;
  companyId: string;
  paymentId: string;
  invoiceId: string;
  creditedMinor: string;
  currency: string;
};

/** Reads the payment, of any company, that has this object and became credit as a whole; null when there is none. */
export async function selectAccepted(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
): Promise<AcceptedCapture | null> {
  const [row] = await db<AcceptedCapture[]>`
    SELECT gateway, gateway_payment_id AS "gatewayPaymentId", company_id AS "companyId", id AS "paymentId",
           invoice_id AS "invoiceId", overpaid_minor::text AS "creditedMinor", currency
    FROM payments WHERE gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId} AND is_part AND overpaid_minor > 0`;
  return row ?? null;
}

/** Reads a page of the open invoices that wait, company by company, and counts them all. */
export async function selectWaiting(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: WaitingInvoice[] }> {
  const from = db`
    FROM collections JOIN invoices ON invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id
    WHERE awaits_release AND ${isInvoiceOpen(db)}`;
  const [counted] = await db<[{ total: number }]>`SELECT count(*)::int AS total ${from}`;
  const data = await db<WaitingInvoice[]>`
    SELECT invoices.id, invoices.company_id AS "companyId", number,
           coalesce(
             nullif(buyer ->> 'organization', ''), nullif(trim(concat_ws(' ', buyer ->> 'firstName', buyer ->> 'lastName')), ''),
             buyer ->> 'email', ''
           ) AS buyer,
           money_text(${amountLeft(db)}, minor_unit_digits) AS "amountDue", invoices.currency, invoices.due_at AS "dueAt", (
             SELECT payments.id FROM payments WHERE payments.company_id = invoices.company_id AND payments.invoice_id = invoices.id
               AND payments.state = 'needs_review' ORDER BY payments.id DESC LIMIT 1
           ) AS "paymentUnderReview"
    ${from} ORDER BY collections.company_id, collections.invoice_id LIMIT ${limit} OFFSET ${offset}`;
  return { total: counted.total, data };
}

/**
 * Lets invoices be charged again: those with these numbers, or any if `numbers` is null, up to a limit. What somebody else releases at the
 * same time is passed over. @returns those that waited
 */
export async function releaseWaiting(
  tx: Tx,
  numbers: readonly string[] | null,
  limit: number,
): Promise<{ number: string; isOpen: boolean }[]> {
  const given = JSON.stringify(numbers ?? []);
  return tx<{ number: string; isOpen: boolean }[]>`
    UPDATE collections SET awaits_release = false, updated_at = now()
    FROM (
      SELECT invoices.* FROM invoices JOIN collections AS waiting ON waiting.company_id = invoices.company_id AND invoice_id = invoices.id
      WHERE awaits_release
        AND (${numbers === null} OR invoices.number IN (SELECT json_array_elements_text(${given}::text::json)))
      ORDER BY waiting.company_id, waiting.invoice_id LIMIT ${limit} FOR NO KEY UPDATE OF waiting
    ) AS invoices
    WHERE collections.company_id = invoices.company_id AND collections.invoice_id = invoices.id
    RETURNING invoices.number, ${isInvoiceOpen(tx)} AS "isOpen"`;
}
