import type { Queryable, Tx } from '../../platform/database/database.ts';
import type { ExpiryFacts } from './card-expires.ts';
import type { NextStep } from './payment-failed.ts';
import { expiryFacts, joined, paymentFacts } from './payment-mails.parts.queries.ts';
import type { PaymentFacts } from './payment-mails.texts.ts';

/** Adds to the mail about a declined payment what happens next, and lets it go. Does nothing where the mail knows it already. */
export async function addNextStep(
  tx: Tx,
  companyId: string,
  { invoiceId, paymentId, next }: { invoiceId: string; paymentId: string; next: NextStep },
): Promise<void> {
  await tx`
    UPDATE mails
    SET facts = facts || jsonb_build_object('next', ${JSON.stringify(next)}::text::jsonb),
        next_attempt_at = CASE WHEN next_attempt_at IS NOT NULL AND lease IS NULL THEN now() ELSE next_attempt_at END
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND type = 'payment_failed' AND facts ->> 'paymentId' = ${paymentId}
      AND jsonb_exists(facts, 'next') = false`;
}

/** What a mail about the newest such payment of the invoice, or of the company, would tell now; null where there is none. */
export async function selectPaymentFacts(
  db: Queryable,
  companyId: string,
  { invoiceId, state }: { invoiceId: string | null; state: 'captured' | 'failed' },
): Promise<Omit<PaymentFacts & { overpaid: string; paidAt: string; timezone: string }, 'sellerName'> | null> {
  const [row] = await db<{ facts: PaymentFacts & { overpaid: string; paidAt: string; timezone: string } }[]>`
    SELECT ${paymentFacts(db)} AS facts FROM ${joined(db)}
    WHERE payments.company_id = ${companyId} AND (${invoiceId}::uuid IS NULL OR payments.invoice_id = ${invoiceId})
      AND payments.state = ${state}
    ORDER BY payments.created_at DESC, payments.id DESC LIMIT 1`;
  return row?.facts ?? null;
}

/** What a mail about the company's default card would tell now; null where it has none. */
export async function selectExpiryFacts(
  db: Queryable,
  companyId: string,
): Promise<Omit<ExpiryFacts, 'sellerName'> | null> {
  const [row] = await db<{ facts: ExpiryFacts }[]>`
    SELECT ${expiryFacts(db)} AS facts FROM cards WHERE company_id = ${companyId} AND is_default AND deleted_at IS NULL`;
  return row?.facts ?? null;
}
