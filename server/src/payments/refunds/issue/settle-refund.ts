import { insertAlert } from '../../../alerts/alerts.service.ts';
import { refundCredit } from '../../../billing/credits/credits.service.ts';
import { lockInvoiceToCharge } from '../../../billing/invoices/invoices.service.ts';
import type { GatewayRefund } from '../../../gateways/gateway/gateway.ts';
import { type Db, type Tx, transaction } from '../../../platform/database/database.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import { describeRefund, type Refund } from './refund.ts';
import { refundEvents } from './refunds.events.ts';
import { endRefund, lockOpenRefund, selectRefund } from './refunds.queries.ts';

/*
 * Writes the outcome of a refund in one transaction with its credit; the database posts it to the ledger. Requests and the reconciler
 * both use these functions. A refund that has ended does not change. Each returns the refund as the books have it then.
 */

/** The gateway has refunded: the refund succeeds if that is what was intended; otherwise it goes under review. */
export async function settleRefunded(db: Db, refund: Refund, found: GatewayRefund): Promise<Refund> {
  const isExact = found.amountMinor === refund.amountMinor && found.currency === refund.currency;
  const settled = await transaction(db, async (tx) => {
    const ended = await (isExact ? succeedRefund(tx, refund, found.id) : endWithMismatch(tx, refund, found));
    failpoint('before_refund_settle_commit');
    return ended;
  });
  failpoint('after_refund_settle');
  return settled;
}

async function endWithMismatch(tx: Tx, refund: Refund, found: GatewayRefund): Promise<Refund> {
  const refunded = `${found.amountMinor} ${found.currency}`;
  const intended = `${refund.amountMinor} ${refund.currency}`;
  const message = `The gateway refunded ${refunded} instead of ${intended} (minor units).`;
  return endWithAlert(tx, refund, { state: 'needs_review', kind: 'refund_mismatch', message });
}

/** `gatewayRefundId` is null when nothing goes back to a card or account. */
export async function succeedRefund(tx: Tx, refund: Refund, gatewayRefundId: string | null): Promise<Refund> {
  const { companyId, id, paymentId, invoiceId, creditMinor, currency } = refund;
  await lockInvoiceToCharge(tx, companyId, invoiceId);
  if (!(await lockOpenRefund(tx, companyId, id))) return selectRefund(tx, companyId, id);
  if (creditMinor > 0n) {
    await refundCredit(tx, companyId, { refundId: id, paymentId, amountMinor: creditMinor, currency });
  }
  await endRefund(tx, companyId, id, { state: 'succeeded', gatewayRefundId });
  return recordRefund(tx, refund, 'refund.succeeded');
}

/** The gateway refused the refund and has none. The credit note stays, and another refund may still pay it out. */
export async function settleRefused(db: Db, refund: Refund): Promise<Refund> {
  const message = 'The gateway refused this refund: no money was returned.';
  return transaction(db, (tx) => endWithAlert(tx, refund, { state: 'failed', kind: 'refund_refused', message }));
}

/** Puts the refund under review, since no check found its outcome. */
export async function writeUnresolved(tx: Tx, refund: Refund): Promise<void> {
  const message = 'The outcome of this refund is still unknown after ten hours.';
  await endWithAlert(tx, refund, { state: 'needs_review', kind: 'refund_unresolved', message });
}

type End = {
  state: 'failed' | 'needs_review';
  kind: 'refund_mismatch' | 'refund_unresolved' | 'refund_refused';
  message: string;
};

async function endWithAlert(tx: Tx, refund: Refund, { state, kind, message }: End): Promise<Refund> {
  const { companyId, id, paymentId, invoiceId } = refund;
  const payment = { id: paymentId, invoiceId };
  if (!(await endRefund(tx, companyId, id, { state, gatewayRefundId: null }))) return selectRefund(tx, companyId, id);
  await insertAlert(tx, companyId, { kind, payment, message: `Refund ${id}: ${message}` });
  return recordRefund(tx, refund, state === 'failed' ? 'refund.failed' : 'refund.needs_review');
}

/** Records the event of the refund in its current state, which it returns. A refund has each once. */
export async function recordRefund(
  tx: Tx,
  { companyId, id }: Pick<Refund, 'companyId' | 'id'>,
  type: 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'refund.needs_review',
): Promise<Refund> {
  const current = await selectRefund(tx, companyId, id);
  await refundEvents.record(tx, companyId, { type, data: describeRefund(current), subject: { id } });
  return current;
}
