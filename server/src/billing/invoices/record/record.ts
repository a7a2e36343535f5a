import type { Tx } from '../../../platform/database/database.ts';
import { creditNoteEvents, type InvoiceEventType } from './invoices.events.ts';
import { insertInvoiceEvents } from './invoices.worker.queries.ts';

/** Records an event for each of these invoices, of any companies, with the invoice's current state. */
export async function recordInvoiceEvents(
  tx: Tx,
  type: InvoiceEventType,
  invoices: readonly { companyId: string; id: string }[],
): Promise<void> {
  await insertInvoiceEvents(
    tx,
    type,
    invoices.map(({ companyId, id }) => ({ companyId, id })),
  );
}

/** Records that this credit note was issued, with its JSON text. With another number it is another event. */
export async function recordCreditNote(
  tx: Tx,
  companyId: string,
  note: string,
  { id, number }: { id: string; number: string },
): Promise<void> {
  const subject = { id, detail: number };
  await creditNoteEvents.record(tx, companyId, { type: 'credit_note.created', data: note, subject });
}
