import type { AlertKind } from '../../alerts/alerts.schema.ts';
import { insertAlert } from '../../alerts/alerts.service.ts';
import { returnCredit } from '../../billing/credits/credits.service.ts';
import {
  failInvoice,
  lockInvoiceToCharge,
  recordPaymentEvent,
  succeedInvoice,
} from '../../billing/invoices/invoices.service.ts';
import type { GatewayPayment } from '../../gateways/gateway/gateway.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { postponeLook } from '../outcomes/outcomes.queries.ts';
import {
  markCanceled,
  markCaptured,
  markNeedsReview,
  markUnsent,
  PAYMENT_QUEUE,
  selectPayment,
  wasRefused,
} from './payment.queries.ts';
import type { Payment } from './payment.ts';

/*
 * What became of a payment is written down in one transaction with its invoice. Requests and the reconciler come through
 * here alike. Every update is conditional on the payment not having ended, so a late or repeated word changes nothing.
 */

/** T3: the invoice is paid if what was captured is what was intended, in amount and currency; else a person has to look. */
export async function settleCaptured(db: Db, payment: Payment, found: GatewayPayment): Promise<void> {
  await transaction(db, async (tx) => {
    await writeCaptured(tx, payment, found);
    failpoint('before_settle_commit');
  });
  failpoint('after_settle');
}

/** The same in a transaction that is open. */
export async function writeCaptured(tx: Tx, payment: Payment, found: CapturedMoney): Promise<void> {
  const { companyId, id, invoiceId } = payment;
  const isExact = isWhatWasIntended(payment, found);
  // Sent at once, done one after the other.
  const [, changed] = await Promise.all([
    lockInvoiceToCharge(tx, companyId, invoiceId),
    isExact ? markCaptured(tx, companyId, id, found.id ?? null) : markNeedsReview(tx, companyId, id),
  ]);
  if (!changed) await alertIfFailed(tx, payment);
  else {
    await Promise.all([
      isExact ? succeedInvoice(tx, companyId, invoiceId, id) : alertMismatch(tx, payment, found),
      recordPaymentEvent(tx, payment, isExact ? 'payment.captured' : 'payment.needs_review'),
    ]);
  }
}

/** What was really taken, and by which object; without one, by that of the payment. */
export type CapturedMoney = Pick<GatewayPayment, 'capturedAmountMinor' | 'capturedCurrency'> & { id?: string };

/** Whether it is what the payment was to take, in amount and currency. */
export function isWhatWasIntended({ amountMinor, currency }: Payment, found: CapturedMoney): boolean {
  return found.capturedAmountMinor === amountMinor && found.capturedCurrency === currency;
}

/** This object of the gateway is canceled, so nothing can capture it any more: the invoice is Failed, and its credit goes back. */
export async function settleCanceled(db: Db, payment: Payment, gatewayPaymentId: string): Promise<void> {
  await transaction(db, (tx) => writeCanceled(tx, payment, gatewayPaymentId));
}

/** The same in a transaction that is open. */
export async function writeCanceled(tx: Tx, payment: Payment, gatewayPaymentId: string): Promise<void> {
  const { companyId, id, invoiceId } = payment;
  await lockInvoiceToCharge(tx, companyId, invoiceId);
  if (!(await markCanceled(tx, companyId, id, gatewayPaymentId))) return;
  await returnCredit(tx, companyId, payment);
  await failInvoice(tx, companyId, invoiceId);
  await recordPaymentEvent(tx, payment, 'payment.failed');
}

/**
 * The gateway has no object that could be confirmed. Refused by it, the invoice is Failed; not even sent, it stays as it was.
 * What the payment took of the credit goes back.
 * @returns false when the payment has such an object after all, or has ended
 */
export async function settleUnsent(db: Db, payment: Payment, reason: 'not_sent' | 'rejected'): Promise<boolean> {
  return transaction(db, (tx) => writeUnsent(tx, payment, reason));
}

/** The same in a transaction that is open. */
export async function writeUnsent(tx: Tx, payment: Payment, reason: 'not_sent' | 'rejected'): Promise<boolean> {
  const { companyId, id, invoiceId } = payment;
  await lockInvoiceToCharge(tx, companyId, invoiceId);
  const declineCode = reason === 'rejected' ? 'rejected_by_gateway' : null;
  if (!(await markUnsent(tx, companyId, id, { reason, declineCode }))) return false;
  await returnCredit(tx, companyId, payment);
  if (await wasRefused(tx, companyId, invoiceId)) await failInvoice(tx, companyId, invoiceId);
  await recordPaymentEvent(tx, payment, 'payment.failed');
  return true;
}

/** The outcome could not be found out in all the time that there is: a person has to look. */
export async function settleUnresolved(db: Db, payment: Payment): Promise<void> {
  const { companyId, id } = payment;
  await transaction(db, async (tx) => {
    const isStillOurs = await postponeLook(tx, companyId, PAYMENT_QUEUE, payment, 0);
    if (isStillOurs && (await markNeedsReview(tx, companyId, id))) {
      await alert(tx, payment, 'payment_unresolved', 'The outcome of this payment is still unknown after ten hours.');
      await recordPaymentEvent(tx, payment, 'payment.needs_review');
    }
  });
}

async function alertMismatch(tx: Tx, payment: Payment, found: CapturedMoney): Promise<void> {
  const captured = `${found.capturedAmountMinor} ${found.capturedCurrency}`;
  const intended = `${payment.amountMinor} ${payment.currency}`;
  const message = `The gateway captured ${captured} instead of ${intended} (minor units).`;
  await alert(tx, payment, 'payment_mismatch', message);
}

/** Does not happen while the protocol holds. Should it, nobody else would notice the money. */
async function alertIfFailed(tx: Tx, payment: Payment): Promise<void> {
  const { state } = await selectPayment(tx, payment.companyId, payment.id);
  if (state !== 'failed') return;
  const message = 'The gateway captured this payment after it had failed here: refund it.';
  await alert(tx, payment, 'payment_captured_after_failure', message);
}

async function alert(tx: Tx, payment: Payment, kind: AlertKind, message: string): Promise<void> {
  await insertAlert(tx, payment.companyId, { kind, paymentId: payment.id, message });
}
