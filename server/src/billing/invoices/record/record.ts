import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../../platform/database/database.ts';
import type { InvoiceEventType, PaymentEventType } from './invoices.events.ts';
import { insertPaymentEvent } from './invoices.queries.ts';
import { insertInvoiceEvents } from './invoices.worker.queries.ts';

/** Records an event for each of these invoices, of any companies, with the invoice's current state. */
export async function recordInvoiceEvents(
  tx: Tx,
  type: InvoiceEventType,
  invoices: readonly { companyId: string; id: string }[],
): Promise<void> {
  const events = invoices.map(({ companyId, id }) => ({ companyId, invoiceId: id, eventId: uuidv7() }));
  await insertInvoiceEvents(tx, type, events);
}

/**
 * Records an event of the payment, in the shape of the list of invoices.
 */
export async function recordPaymentEvent(
  tx: Tx,
  { companyId, id, invoiceId }: { companyId: string; id: string; invoiceId: string },
  type: PaymentEventType,
): Promise<void> {
  await insertPaymentEvent(tx, companyId, { type, id, invoiceId, eventId: uuidv7() });
}
