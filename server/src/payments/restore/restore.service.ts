import { creditToConsume } from '../../billing/credits/credits.service.ts';
import { lockInvoiceToCharge } from '../../billing/invoices/invoices.service.ts';
import {
  COMPANY_UNKNOWN,
  impossible,
  OTHER_INVOICE,
  PRESENT,
  RESTORED,
  type Restored,
  UNKNOWN_INVOICE,
} from '../../billing/restore/restore.service.ts';
import { lockCompany, readBillingSettings } from '../../customers/companies/companies.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { toDecimal } from '../../platform/money/decimal.ts';
import { toMinor } from '../../platform/money/money.ts';
import { selectLivePayment } from '../payment/payment.queries.ts';
import {
  insertRefund,
  selectPaymentToRefund,
  selectRefund,
  selectRefundByKey,
} from '../refunds/issue/refunds.queries.ts';
import { recordRefund, succeedRefund } from '../refunds/issue/settle-refund.ts';
import { payWithCreditOnly } from '../settlement/credit-only.ts';
import { readPaymentToRestore, readRefundToRestore } from './restore.queries.ts';

/*
 * What moved credit alone left no trace at a gateway. If the database has lost it, it is written again from the journal. Each function can
 * be repeated: the second time changes nothing.
 */

/**
 * Pays an invoice with credit alone again, as it was paid, if the same amount is due and the company has that credit.
 * @param id - the payment's
 * @param document - JSON text, as `PAYMENT_MARK` says
 */
export async function restoreCreditPayment(tx: Tx, companyId: string, id: string, document: string): Promise<Restored> {
  const given = await readPaymentToRestore(tx, companyId, { id, document });
  if (!given.hasCompany) return COMPANY_UNKNOWN;
  if (given.isPresent) return PRESENT;
  if (!given.hasInvoice) return impossible(UNKNOWN_INVOICE);
  const { invoiceId, currency } = given;
  const { method, ...invoice } = await lockInvoiceToCharge(tx, companyId, invoiceId);
  const creditMinor = BigInt(given.creditMinor);
  const dueMinor = toMinor(toDecimal(invoice.amountDue), invoice.currency);
  const isOpen = !invoice.isVoided && invoice.status !== 'Succeeded';
  const isDue = dueMinor === creditMinor && currency === invoice.currency;
  if (!isOpen || !isDue || (await selectLivePayment(tx, companyId, invoiceId)) !== null)
    return impossible(OTHER_INVOICE);
  await lockCompany(tx, companyId);
  if ((await creditToConsume(tx, companyId, { dueMinor, currency })) !== creditMinor)
    return impossible('The company has less credit than this payment used.');
  const payment = { id, invoiceId, method, amountMinor: 0n, creditMinor, currency, collectionAttempt: null };
  await payWithCreditOnly(tx, companyId, payment);
  return RESTORED;
}

/**
 * Returns credit for a payment again, as it was returned, with its id and its idempotency key, if the payment has as much left.
 * @param document - JSON text of the row of `refunds`, with nothing for a card or account
 */
export async function restoreCreditRefund(tx: Tx, companyId: string, document: string): Promise<Restored> {
  const { hasCompany, hasPayment, hasCreditNote, isPresent, ...given } = await readRefundToRestore(
    tx,
    companyId,
    document,
  );
  if (!hasCompany) return COMPANY_UNKNOWN;
  if (isPresent) return PRESENT;
  if (!hasPayment || !hasCreditNote) return impossible('The payment or the credit note is not in the database.');
  const { id, paymentId, invoiceId, currency, idempotencyKey } = given;
  await lockInvoiceToCharge(tx, companyId, invoiceId);
  const isRepeated =
    idempotencyKey !== null && (await selectRefundByKey(tx, companyId, paymentId, idempotencyKey)) !== null;
  if (isRepeated) return PRESENT;
  const creditMinor = BigInt(given.creditMinor);
  const payment = await selectPaymentToRefund(tx, companyId, paymentId);
  await lockCompany(tx, companyId);
  const settings = await readBillingSettings(tx, companyId);
  const isLeft = payment.state === 'captured' && creditMinor <= payment.creditMinor - payment.refundedCreditMinor;
  if (!isLeft || settings.currency !== currency)
    return impossible('The payment is not captured, has less credit left to refund, or has another currency.');
  await insertRefund(tx, companyId, { ...given, amountMinor: 0n, creditMinor, source: 'operator' });
  const refund = await selectRefund(tx, companyId, id);
  await recordRefund(tx, refund, 'refund.created');
  await succeedRefund(tx, refund, null);
  return RESTORED;
}
