import { invoiceFields } from '../../billing/invoices/record/invoices.parts.queries.ts';
import { constantPart, type Queryable } from '../../platform/database/database.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import { disputesOfPayment } from '../disputes/disputes.parts.queries.ts';
import { allPayments, latestPayment } from '../payment/payment.parts.queries.ts';
import type { PaymentReader } from '../payment/payment.ts';
import { refundsOfPayment } from '../refunds/issue/refunds.parts.queries.ts';
import type { InvoiceWithAttempts } from './attempts.schema.ts';

/**
 * Reads an invoice with its payments and the state of its collection, as JSON text; null when the company has no invoice with this id.
 * The state is shown as the next pass of the worker will record it, for example when the invoice was paid or the setting changed.
 */
export async function selectInvoiceWithAttempts(
  db: Queryable,
  companyId: string,
  id: string,
  reader: PaymentReader,
): Promise<Json<typeof InvoiceWithAttempts> | null> {
  const shown = { more: db`${disputesOfPayment(db)}, ${refundsOfPayment(db)}`, reader };
  const [row] = await db<{ json: Json<typeof InvoiceWithAttempts> }[]>`
    SELECT json_build_object(
      ${invoiceFields(db)}, 'payment', ${latestPayment(db, shown)}, 'attempts', ${allPayments(db, shown)}, 'collection', json_build_object(
        'state', shown.state, 'dueAt', iso_instant(invoices.due_at),
        'nextAttemptAt', CASE WHEN shown.state = 'scheduled' THEN iso_instant(collections.next_attempt_at) END,
        'dunningStep', coalesce(collections.declines, 0)
      )
    )::text AS json
    FROM invoices
    LEFT JOIN collections ON collections.company_id = invoices.company_id AND collections.invoice_id = invoices.id
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN invoices.status = 'Succeeded' OR invoices.voided_at IS NOT NULL THEN 'closed'
        WHEN collections.awaits_release THEN 'awaiting_release'
        WHEN EXISTS (
          SELECT FROM payments
          WHERE payments.company_id = invoices.company_id AND payments.invoice_id = invoices.id AND payments.state = 'requires_action'
        ) THEN 'awaiting_confirmation'
        WHEN collections.state IN ('awaiting_outcome', 'awaiting_confirmation') THEN 'awaiting_outcome'
        WHEN ${hasLostItsCard(db)} THEN 'awaiting_payment_method'
        WHEN collections.state IS NULL OR NOT collects_automatically(invoices.company_id, invoices.method, invoices.currency) THEN 'manual'
        ELSE collections.state
      END AS state
    ) AS shown
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${id}`;
  return row?.json ?? null;
}

/**
 * Whether the company, which is charged while it has a default card, deleted the card of the payment that waited for its confirmation. The
 * collection goes on with the next one.
 */
const hasLostItsCard = constantPart(
  (db) => db`(
    collections.state IS NOT NULL AND NOT collects_automatically(invoices.company_id, invoices.method, invoices.currency)
    AND EXISTS (SELECT FROM companies WHERE companies.id = invoices.company_id AND companies.collection = 'by_card')
    AND (SELECT payments.failure_reason = 'canceled' AND payments.expires_at IS NOT NULL FROM payments
         WHERE payments.company_id = invoices.company_id AND payments.invoice_id = invoices.id
         ORDER BY payments.created_at DESC, payments.id DESC LIMIT 1))`,
);

/** Reads the billing run that issued the invoice; null when the operator issued it. */
export async function selectRunOfInvoice(db: Queryable, companyId: string, id: string): Promise<string | null> {
  const [row] = await db<{ runId: string }[]>`
    SELECT run_id AS "runId" FROM billed_periods WHERE company_id = ${companyId} AND invoice_id = ${id}`;
  return row?.runId ?? null;
}
