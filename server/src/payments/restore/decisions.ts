import { impossible, type Restored } from '../../billing/restore/restore.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { MarkKind } from '../../platform/feature/feature.ts';
import { selectDecided } from './restore.queries.ts';

/*
 * What a person decided about a payment or a refund under review, or about a second capture, left no trace at a gateway. If the database
 * has lost it, it is a case of its own: the person decides again, because the gateway has to be asked again.
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

type Decided = { outcome: 'succeeded' | 'failed' | 'refunded' | 'accepted' };

/**
 * Says whether a payment or a refund is as a person decided then. @param document - JSON text, as the kind of its mark says
 */
export async function restoreDecision(
  tx: Tx,
  companyId: string,
  { table, id, document }: { table: 'payments' | 'refunds'; id: string; document: string },
): Promise<Restored> {
  const { outcome } = JSON.parse(document) as Decided;
  const { hasCompany, state } = await selectDecided(tx, companyId, { table, id });
  if (!hasCompany) return { outcome: 'company_unknown' };
  const hasMoved = outcome === 'succeeded' || outcome === 'accepted';
  const ended = state === 'captured' ? 'succeeded' : (state ?? 'failed');
  if (ended === (hasMoved ? 'succeeded' : 'failed')) return { outcome: 'present' };
  const what = table === 'payments' ? 'payment' : 'refund';
  if (state === 'needs_review') return impossible(`The ${what} is under review again.`);
  return impossible(
    state === null ? `The ${what} is not in the books.` : `The ${what} has another outcome here, or none yet.`,
  );
}
