import type { AlertKind } from '../../alerts/alerts.schema.ts';
import { insertAlert } from '../../alerts/alerts.service.ts';
import { creditOverpayment, returnCredit } from '../../billing/credits/credits.service.ts';
import { failInvoice, lockInvoiceToCharge, payInPart } from '../../billing/invoices/invoices.service.ts';
import type { Invoice } from '../../billing/invoices/record/invoices.schema.ts';
import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import type { ConfirmationAction, GatewayPayment } from '../../gateways/gateway/gateway.ts';
import type { ConfiguredGateway } from '../../gateways/gateways.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import { observed } from '../../platform/steps.ts';
import { mailConfirmation, mailFailure, mailReceipt } from '../mails/payment-mails.ts';
import { markInvoicePaid, recordPaymentEvent } from '../payment/invoice-payments.service.ts';
import {
  markAccepted,
  markCanceled,
  markCaptured,
  markNeedsReview,
  markProcessing,
  markRequiresAction,
  markUnsent,
  selectPayment,
  wasRefused,
} from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';

/*
 * Writes the outcome of a payment in one transaction with its invoice. Requests and the reconciler both use these functions. Every update
 * applies only if the payment has not ended, so a late or repeated answer changes nothing. Each returns the payment as the books have it
 * then. A hold refuses failures: the gateway may have
 * been asked before the database went back, and may have captured another object of the debt since. The company is locked before a payment
 * ends, since that locks the invoice's collection, and a card or a setting that wakes collections locks the company first.
 */

/** A payment as the books have it, and the Invoice as JSON text if it was paid just now. */
export type Settled = { payment: Payment; invoice: Json<typeof Invoice> | null };

/** T3: marks the invoice as paid if the captured amount and currency are the intended ones; otherwise the payment goes under review. */
export async function settleCaptured(db: Db, payment: Payment, found: GatewayPayment): Promise<Settled> {
  const settled = await observed({ step: 'T3', payment: payment.id, object: found.id }, () =>
    transaction(db, async (tx) => {
      const written = await writeCaptured(tx, payment, found);
      failpoint('before_settle_commit');
      return written;
    }),
  );
  failpoint('after_settle');
  return settled;
}

/** The same inside an open transaction. */
export async function writeCaptured(tx: Tx, payment: Payment, found: CapturedMoney): Promise<Settled> {
  const { companyId, id, invoiceId } = payment;
  const isExact = matchesIntent(payment, found);
  // The statements are sent together, and PostgreSQL runs them in order.
  const [, written] = await Promise.all([
    lockInvoiceToCharge(tx, companyId, invoiceId),
    isExact ? markCaptured(tx, companyId, id, found.id ?? null) : markNeedsReview(tx, companyId, id),
  ]);
  if (written === null) return { payment: await alertIfFailed(tx, payment), invoice: null };
  if (isExact) {
    const [invoice] = await Promise.all([
      markInvoicePaid(tx, companyId, invoiceId, id),
      mailReceipt(tx, companyId, id),
    ]);
    return { payment: written, invoice };
  }
  await alertMismatch(tx, payment, found);
  await recordPaymentEvent(tx, payment, 'payment.needs_review');
  return { payment: written, invoice: null };
}

/**
 * Accepts a capture of another amount, in the transaction that ends the review. What is more than was due becomes credit. With less, the
 * payment pays a part, and the rest stays due.
 * @throws ApiError credit_currency_differs
 */
export async function writeAccepted(tx: Tx, payment: Payment, takenMinor: bigint): Promise<void> {
  const { companyId, id, invoiceId, creditMinor } = payment;
  const isPart = takenMinor < payment.amountMinor;
  const amountMinor = isPart ? takenMinor : payment.amountMinor;
  const overpaidMinor = takenMinor - amountMinor;
  await lockCompany(tx, companyId);
  await markAccepted(tx, companyId, id, { amountMinor, overpaidMinor, isPart });
  if (overpaidMinor > 0n) await creditOverpayment(tx, companyId, payment, overpaidMinor);
  if (isPart) {
    await payInPart(tx, companyId, invoiceId, amountMinor + creditMinor);
    await recordPaymentEvent(tx, payment, 'payment.captured');
  } else {
    await markInvoicePaid(tx, companyId, invoiceId, id);
  }
  await mailReceipt(tx, companyId, id);
}

/** The money that was really taken, and the object that took it; without an id it is the payment's own object. */
export type CapturedMoney = Pick<GatewayPayment, 'capturedAmountMinor' | 'capturedCurrency'> & { id?: string };

/** Whether the capture has the amount and the currency that the payment intended. */
export function matchesIntent({ amountMinor, currency }: Payment, found: CapturedMoney): boolean {
  return found.capturedAmountMinor === amountMinor && found.capturedCurrency === currency;
}

/**
 * The bank asks the customer about this object: the payment waits from now on, and nothing else is tried meanwhile.
 * @returns the payment as the books have it then
 */
export async function settleWaiting(
  db: Db,
  { fields, confirmations }: ConfiguredGateway,
  payment: Payment,
  { gatewayPaymentId, action }: { gatewayPaymentId: string; action: ConfirmationAction },
): Promise<Payment> {
  const { companyId, id, invoiceId } = payment;
  const write = async (tx: Tx) => {
    await Promise.all([lockInvoiceToCharge(tx, companyId, invoiceId), lockCompany(tx, companyId)]);
    const url = await confirmations.pageOf(tx, companyId, invoiceId);
    const waiting = await markRequiresAction(tx, companyId, id, {
      gatewayPaymentId,
      action: { ...action, publishableKey: fields?.publishableKey ?? '', url },
      windowSeconds: confirmations.windowSeconds,
    });
    if (waiting === null) return selectPayment(tx, companyId, id);
    await recordPaymentEvent(tx, payment, 'payment.requires_action');
    if (!waiting.isOnSession) await mailConfirmation(tx, waiting);
    failpoint('before_wait_commit');
    return waiting;
  };
  const step = { step: 'await customer', payment: id, object: gatewayPaymentId } as const;
  const settled = await observed(step, () => transaction(db, write));
  failpoint('after_wait');
  return settled;
}

/** The money of this object is on its way. @returns the payment as the books have it then */
export async function settleProcessing(db: Db, payment: Payment, gatewayPaymentId: string): Promise<Payment> {
  const { companyId, id, invoiceId } = payment;
  const write = async (tx: Tx) => {
    await Promise.all([lockInvoiceToCharge(tx, companyId, invoiceId), lockCompany(tx, companyId)]);
    const onItsWay = await markProcessing(tx, companyId, id, gatewayPaymentId);
    failpoint('before_wait_commit');
    return onItsWay ?? selectPayment(tx, companyId, id);
  };
  const step = { step: 'await bank', payment: id, object: gatewayPaymentId } as const;
  const settled = await observed(step, () => transaction(db, write));
  failpoint('after_wait');
  return settled;
}

/**
 * This object at the gateway is canceled, so nothing can capture it any more: the invoice is Failed, and its credit is returned.
 * @throws ApiError charges_held
 */
export async function settleCanceled(db: Db, payment: Payment, gatewayPaymentId: string): Promise<Payment> {
  const failed = await observed({ step: 'fail', payment: payment.id, object: gatewayPaymentId }, () =>
    transaction(db, async (tx) => {
      const written = await writeCanceled(tx, payment, gatewayPaymentId);
      failpoint('before_fail_commit');
      return written;
    }),
  );
  failpoint('after_fail');
  return failed;
}

/** The same inside an open transaction. */
export async function writeCanceled(tx: Tx, payment: Payment, gatewayPaymentId: string): Promise<Payment> {
  const { companyId, id, invoiceId } = payment;
  await Promise.all([lockInvoiceToCharge(tx, companyId, invoiceId), lockCompany(tx, companyId), assertNotHeld(tx)]);
  const failed = await markCanceled(tx, companyId, id, gatewayPaymentId);
  if (failed === null) return selectPayment(tx, companyId, id);
  await returnCredit(tx, companyId, payment);
  await failInvoice(tx, companyId, invoiceId, id);
  await recordPaymentEvent(tx, payment, 'payment.failed');
  await mailFailure(tx, failed);
  return failed;
}

/**
 * The gateway does not know the object of a payment any more that waited for its customer until its time had passed: it fails as one that
 * was not confirmed. The alert tells of it, because the object may still be in another account.
 * @throws ApiError charges_held
 */
export async function settleMissing(db: Db, payment: Payment): Promise<Payment> {
  return transaction(db, async (tx) => {
    const failed = await writeCanceled(tx, payment, payment.gatewayPaymentId ?? '');
    const message =
      'The gateway does not know this payment any more, which ended unconfirmed: check that its account is the same.';
    if (failed.state === 'failed') await alert(tx, payment, 'payment_unresolved', message);
    return failed;
  });
}

/**
 * The gateway has no object that could be confirmed. If it refused to create one, the invoice is Failed; if nothing was sent, the invoice
 * keeps its status. The credit that the payment took is returned. A payment that has such an object after all stays open.
 * @throws ApiError charges_held
 */
export async function settleUnsent(db: Db, payment: Payment, reason: 'not_sent' | 'rejected'): Promise<Payment> {
  const step = reason === 'rejected' ? 'refuse' : 'withdraw';
  return observed({ step, payment: payment.id }, () => transaction(db, (tx) => writeUnsent(tx, payment, reason)));
}

/** The same inside an open transaction. */
export async function writeUnsent(tx: Tx, payment: Payment, reason: 'not_sent' | 'rejected'): Promise<Payment> {
  const { companyId, id, invoiceId } = payment;
  await Promise.all([lockInvoiceToCharge(tx, companyId, invoiceId), lockCompany(tx, companyId), assertNotHeld(tx)]);
  const declineCode = reason === 'rejected' ? 'rejected_by_gateway' : null;
  const failed = await markUnsent(tx, companyId, id, { reason, declineCode });
  if (failed === null) return selectPayment(tx, companyId, id);
  await returnCredit(tx, companyId, payment);
  if (await wasRefused(tx, companyId, invoiceId)) await failInvoice(tx, companyId, invoiceId, id);
  await recordPaymentEvent(tx, payment, 'payment.failed');
  await mailFailure(tx, failed);
  return failed;
}

/** Puts the payment under review, since no check found its outcome. */
export async function writeUnresolved(tx: Tx, payment: Payment): Promise<void> {
  await writeUnresolvedAfter(tx, payment, 'ten hours');
}

/** Puts a direct debit under review that has neither settled nor come back. */
export async function writeDebitUnresolved(tx: Tx, payment: Payment): Promise<void> {
  await writeUnresolvedAfter(tx, payment, '14 days');
}

async function writeUnresolvedAfter(tx: Tx, payment: Payment, time: string): Promise<void> {
  if ((await markNeedsReview(tx, payment.companyId, payment.id)) === null) return;
  await alert(tx, payment, 'payment_unresolved', `The outcome of this payment is still unknown after ${time}.`);
  await recordPaymentEvent(tx, payment, 'payment.needs_review');
}

async function alertMismatch(tx: Tx, payment: Payment, found: CapturedMoney): Promise<void> {
  const captured = `${found.capturedAmountMinor} ${found.capturedCurrency}`;
  const intended = `${payment.amountMinor} ${payment.currency}`;
  const message = `The gateway captured ${captured} instead of ${intended} (minor units).`;
  await alert(tx, payment, 'payment_mismatch', message);
}

/** The protocol prevents a capture of a failed payment. If it happens anyway, the alert is the only thing that shows the money. */
async function alertIfFailed(tx: Tx, payment: Payment): Promise<Payment> {
  const current = await selectPayment(tx, payment.companyId, payment.id);
  if (current.state !== 'failed') return current;
  const message = 'The gateway captured this payment after it had failed here: refund it.';
  await alert(tx, payment, 'payment_captured_after_failure', message);
  return current;
}

async function alert(tx: Tx, payment: Payment, kind: AlertKind, message: string): Promise<void> {
  await insertAlert(tx, payment.companyId, { kind, payment, message });
}
