import { consumeCredit } from '../../billing/credits/credits.service.ts';
import { reopenInvoice } from '../../billing/invoices/invoices.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { markInvoicePaid } from '../payment/invoice-payments.service.ts';
import { recordPaymentMark } from '../payment/journaled.ts';
import { insertPayment, type NewPayment } from '../payment/payment.queries.ts';

/** A payment that charges nothing. */
export type CreditOnlyPayment = Omit<
  NewPayment,
  'cardId' | 'paypalAccountId' | 'gateway' | 'gatewayToken' | 'isOnSession' | 'state'
>;

/**
 * Pays an invoice of zero, or one that the credit covers, which needs neither a card nor an account. The caller holds the locks of the
 * invoice and the company.
 */
export async function payWithCreditOnly(tx: Tx, companyId: string, payment: CreditOnlyPayment): Promise<void> {
  const { id, invoiceId } = payment;
  await reopenInvoice(tx, companyId, invoiceId);
  await insertPayment(tx, companyId, {
    ...payment,
    cardId: null,
    paypalAccountId: null,
    gateway: 'none',
    gatewayToken: null,
    isOnSession: false,
    state: 'captured',
  });
  await recordPaymentMark(tx, companyId, { ...payment, gateway: 'none' });
  await consumeCredit(tx, companyId, payment);
  await markInvoicePaid(tx, companyId, invoiceId, id);
}
