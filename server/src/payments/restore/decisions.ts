import type { MarkKind } from '../../platform/feature/feature.ts';

/*
 * What a person decided about a payment or a refund under review, or about a second capture, left no trace at a gateway. If the database
 * has lost it, its mark shows that the database went back, and a person decides again, because the gateway has to be asked again.
 */

/** What the journal keeps of a decision about a payment. `accepted`: a second capture became credit. */
export const PAYMENT_DECISION: MarkKind = {
  table: 'payments',
  document: `json_build_object('invoiceId', invoice_id, 'gatewayPaymentId', gateway_payment_id, 'outcome', CASE
    WHEN state = 'captured' AND amount_minor = 0 THEN 'accepted'
    WHEN state = 'captured' THEN 'succeeded'
    WHEN EXISTS (
      SELECT FROM refunds
      WHERE refunds.company_id = payments.company_id AND payment_id = payments.id AND returns_capture AND refunds.state = 'succeeded'
    ) THEN 'refunded'
    ELSE 'failed' END)`,
};

/** What the journal keeps of a decision about a refund. */
export const REFUND_DECISION: MarkKind = {
  table: 'refunds',
  document: `json_build_object('invoiceId', invoice_id, 'outcome', state, 'gatewayRefundId', gateway_refund_id)`,
};
