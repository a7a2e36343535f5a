import { succeedInvoice } from '../../billing/invoices/invoices.service.ts';
import type { Invoice } from '../../billing/invoices/record/invoices.schema.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import { insertPaymentEvent, paymentEvent } from './invoice-payments.queries.ts';
import type { PaymentEventType } from './payment.events.ts';
import { creditOfInvoice } from './payment.parts.queries.ts';

export { selectLivePaymentState as findLivePayment } from './invoice-payments.queries.ts';

/**
 * Records an event of the payment, in the shape of the list of invoices.
 */
export async function recordPaymentEvent(
  tx: Tx,
  { companyId, id, invoiceId }: { companyId: string; id: string; invoiceId: string },
  type: PaymentEventType,
): Promise<void> {
  await insertPaymentEvent(tx, companyId, { type, id, invoiceId });
}

/**
 * Marks the invoice as paid by this captured payment, with the events of both.
 * @returns the Invoice as JSON text; null if it was paid before
 */
export async function markInvoicePaid(
  tx: Tx,
  companyId: string,
  invoiceId: string,
  paymentId: string,
): Promise<Json<typeof Invoice> | null> {
  const events = paymentEvent(tx, companyId, { type: 'payment.captured', id: paymentId, invoiceId });
  return succeedInvoice(tx, companyId, invoiceId, { paymentId, creditMinor: creditOfInvoice(tx, paymentId), events });
}
