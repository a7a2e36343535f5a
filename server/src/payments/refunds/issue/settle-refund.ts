import { insertAlert } from '../../../alerts/alerts.service.ts';
import { refundCredit } from '../../../billing/credits/credits.service.ts';
import { lockInvoiceToCharge } from '../../../billing/invoices/invoices.service.ts';
import type { GatewayRefund } from '../../../gateways/gateway/gateway.ts';
import { type Db, type Tx, transaction } from '../../../platform/database/database.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import { describeRefund } from './answer.ts';
import type { Refund } from './refund.ts';
import { refundEvents } from './refunds.events.ts';
import { endRefund, lockOpenRefund, selectRefund } from './refunds.queries.ts';

/*
 * Writes the outcome of a refund in one transaction with its credit; the database posts it to the ledger. Requests and the reconciler
 * both use these functions. A refund that has ended does not change.
 */

/** The gateway has refunded: the refund succeeds if that is what was intended; otherwise it goes under review. */
export async function settleRefunded(db: Db, refund: Refund, found: GatewayRefund): Promise<void> {
  const isExact = found.amountMinor === refund.amountMinor && found.currency === refund.currency;
  await transaction(db, async (tx) => {
    if (isExact) await succeedRefund(tx, refund, found.id);
    else await endWithMismatch(tx, refund, found);
    failpoint('before_refund_settle_commit');
  });
  failpoint('after_refund_settle');
}

async function endWithMismatch(tx: Tx, refund: Refund, found: GatewayRefund): Promise<void> {
  const refunded = `${found.amountMinor} ${found.currency}`;
  const intended = `${refund.amountMinor} ${refund.currency}`;
  const message = `The gateway refunded ${refunded} instead of ${intended} (minor units).`;
  await endWithAlert(tx, refund, { state: 'needs_review', kind: 'refund_mismatch', message });
}

/** `gatewayRefundId` is null when nothing goes back to a card or account. */
export async function succeedRefund(tx: Tx, refund: Refund, gatewayRefundId: string | null): Promise<void> {
  const { companyId, id, paymentId, invoiceId, creditMinor, currency } = refund;
  await lockInvoiceToCharge(tx, companyId, invoiceId);
  if (!(await lockOpenRefund(tx, companyId, id))) return;
  if (creditMinor > 0n) {
    await refundCredit(tx, companyId, { refundId: id, paymentId, amountMinor: creditMinor, currency });
  }
  await endRefund(tx, companyId, id, { state: 'succeeded', gatewayRefundId });
  await recordRefund(tx, refund, 'refund.succeeded');
}

/** The gateway refused the refund and has none. The credit note stays, and another refund may still pay it out. */
export async function settleRefused(db: Db, refund: Refund): Promise<void> {
  const message = 'The gateway refused this refund: no money was returned.';
  await transaction(db, (tx) => endWithAlert(tx, refund, { state: 'failed', kind: 'refund_refused', message }));
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

async function endWithAlert(tx: Tx, refund: Refund, { state, kind, message }: End): Promise<void> {
  const { companyId, id, paymentId, invoiceId } = refund;
  const payment = { id: paymentId, invoiceId };
  if (!(await endRefund(tx, companyId, id, { state, gatewayRefundId: null }))) return;
  await insertAlert(tx, companyId, { kind, payment, message: `Refund ${id}: ${message}` });
  await recordRefund(tx, refund, state === 'failed' ? 'refund.failed' : 'refund.needs_review');
}

/** Records the event of the refund in its current state. A refund has each once. */
export async function recordRefund(
  tx: Tx,
  { companyId, id }: Refund,
  type: 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'refund.needs_review',
): Promise<void> {
  const data = describeRefund(await selectRefund(tx, companyId, id));
  await refundEvents.record(tx, companyId, { type, data, subject: { id } });
}
