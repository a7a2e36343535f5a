import type { MarkKind } from '../../platform/feature/feature.ts';

/*
 * What a person decided about a payment or a refund under review, or about a second capture, left no trace at a gateway. If the database
 * has lost it, its mark shows that the database went back, and a person decides again, because the gateway has to be asked again.
 */

/** What the journal keeps of a decision about a payment. */
export const PAYMENT_DECISION: MarkKind = {
  table: 'payments',
  document: `json_build_object('invoiceId', invoice_id, 'state', state)`,
};

/** What the journal keeps of a decision about a refund. */
export const REFUND_DECISION: MarkKind = { ...PAYMENT_DECISION, table: 'refunds' };
