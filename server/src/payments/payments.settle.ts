import { v7 as uuidv7 } from 'uuid';
import { type Db, type Tx, transaction } from '../database/database.ts';
import { failpoint } from '../failpoints.ts';
import type { Gateway, GatewayPayment } from '../gateways/gateway.ts';
import { failInvoice, lockInvoiceToCharge, succeedInvoice } from '../invoices/invoices.service.ts';
import {
  type FailureReason,
  insertAlert,
  markCaptured,
  markFailed,
  markNeedsReview,
  type Payment,
} from './payments.queries.ts';

/**
 * Writes down what became of a payment, in one transaction with its invoice. Requests, the reconciler and webhooks all come
 * through here. Every update is conditional on the payment not having ended, so a late or repeated word changes nothing.
 */
export async function settleCaptured(db: Db, payment: Payment, found: GatewayPayment): Promise<void> {
  await transaction(db, async (tx) => {
    await lockInvoiceToCharge(tx, payment.companyId, payment.invoiceId);
    if (found.capturedAmountMinor !== payment.amountMinor || found.capturedCurrency !== payment.currency) {
      const message = `The gateway captured ${found.capturedAmountMinor} ${found.capturedCurrency} instead of ${payment.amountMinor} ${payment.currency} (minor units).`;
      await review(tx, payment, 'payment_mismatch', message);
      return;
    }
    if (await markCaptured(tx, payment.companyId, payment.id)) {
      await succeedInvoice(tx, payment.companyId, payment.invoiceId, payment.id);
    }
    failpoint('before_settle_commit');
  });
  failpoint('after_settle');
}

/** The payment failed and nothing can capture it any more. Unless nothing was sent, the invoice is Failed. */
export async function settleFailed(
  db: Db,
  payment: Payment,
  reason: FailureReason,
  declineCode: string | null,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockInvoiceToCharge(tx, payment.companyId, payment.invoiceId);
    const changed = await markFailed(tx, payment.companyId, payment.id, { reason, declineCode });
    if (changed && reason !== 'not_sent') await failInvoice(tx, payment.companyId, payment.invoiceId);
  });
}

/** The outcome could not be found out in all the time that there is: a person has to look. */
export async function settleUnresolved(db: Db, payment: Payment): Promise<void> {
  await transaction(db, async (tx) => {
    await review(tx, payment, 'payment_unresolved', 'The gateway gave no answer about this payment within ten hours.');
  });
}

async function review(
  tx: Tx,
  payment: Payment,
  kind: 'payment_mismatch' | 'payment_unresolved',
  message: string,
): Promise<void> {
  if (!(await markNeedsReview(tx, payment.companyId, payment.id))) return;
  await insertAlert(tx, payment.companyId, { id: uuidv7(), kind, paymentId: payment.id, message });
}

/**
 * Acts on what the gateway says about a payment. A decline is final only once the gateway's object is canceled:
 * until then the gateway itself could still capture it.
 * @returns false when it is not decided yet. @throws GatewayError when canceling gave no answer
 */
export async function applyOutcome(
  db: Db,
  gateway: Gateway,
  payment: Payment,
  found: GatewayPayment,
): Promise<boolean> {
  switch (found.status) {
    case 'captured':
      await settleCaptured(db, payment, found);
      return true;
    case 'canceled':
      await settleFailed(db, payment, found.declineCode === null ? 'canceled' : 'declined', found.declineCode);
      return true;
    case 'declined': {
      failpoint('after_decline');
      const canceled = await gateway.cancelPayment(found.id);
      failpoint('after_cancel');
      if (canceled.status === 'declined' || canceled.status === 'created') return false;
      return applyOutcome(db, gateway, payment, { ...canceled, declineCode: found.declineCode });
    }
    case 'created':
      return false;
  }
}
