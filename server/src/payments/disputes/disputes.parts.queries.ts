import { constantPart, type Queryable } from '../../platform/database/database.ts';

/** The Dispute of the API as JSON, from a row of `disputes`. */
export const disputeJson = constantPart(
  (db) => db`(
    SELECT json_build_object(
      'id', disputes.id, 'companyId', disputes.company_id, 'paymentId', disputes.payment_id, 'invoiceId', disputes.invoice_id,
      'gateway', disputes.gateway, 'gatewayDisputeId', disputes.gateway_dispute_id,
      'status', CASE disputes.state
        WHEN 'needs_response' THEN 'NeedsResponse' WHEN 'under_review' THEN 'UnderReview' WHEN 'won' THEN 'Won'
        WHEN 'lost' THEN 'Lost' ELSE 'Closed'
      END,
      'amount', money_text(disputes.amount_minor / 10::numeric ^ minor_unit_digits, minor_unit_digits),
      'withdrawnAmount', money_text(disputes.withdrawn_minor / 10::numeric ^ minor_unit_digits, minor_unit_digits),
      'currency', disputes.currency, 'reason', disputes.reason, 'openedAt', iso_instant(disputes.opened_at),
      'createdAt', iso_instant(disputes.created_at), 'updatedAt', iso_instant(disputes.updated_at)
    )
    FROM invoices WHERE invoices.company_id = disputes.company_id AND invoices.id = disputes.invoice_id
  )`,
);

/** The field `disputes` of a row of `payments`, as a name and a value of its JSON, the oldest first. */
export function disputesOfPayment(db: Queryable) {
  return db`'disputes', (
    SELECT coalesce(json_agg(${disputeJson(db)} ORDER BY disputes.id), '[]') FROM disputes
    WHERE disputes.company_id = payments.company_id AND disputes.payment_id = payments.id
  )`;
}
