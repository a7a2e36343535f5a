import type { Queryable } from '../../../platform/database/database.ts';

/** The field `refunds` of a row of `payments`, as a name and a value of its JSON, the oldest first. */
export function refundsOfPayment(db: Queryable) {
  return db`'refunds', (
    SELECT coalesce(json_agg(json_build_object(
      'id', refunds.id,
      'amount', money_text((refunds.amount_minor + refunds.credit_minor) / 10::numeric ^ minor_unit_digits, minor_unit_digits),
      'creditAmount', money_text(refunds.credit_minor / 10::numeric ^ minor_unit_digits, minor_unit_digits),
      'currency', refunds.currency,
      'status', CASE refunds.state
        WHEN 'succeeded' THEN 'Succeeded' WHEN 'failed' THEN 'Failed' WHEN 'needs_review' THEN 'NeedsReview' ELSE 'Processing'
      END,
      'createdAt', iso_instant(refunds.created_at), 'updatedAt', iso_instant(refunds.updated_at)
    ) ORDER BY refunds.id), '[]')
    FROM refunds JOIN invoices ON invoices.company_id = refunds.company_id AND invoices.id = refunds.invoice_id
    WHERE refunds.company_id = payments.company_id AND refunds.payment_id = payments.id
  )`;
}
