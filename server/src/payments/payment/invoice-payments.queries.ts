import { lastingId } from '../../outbox/events/events.parts.queries.ts';
import type { Part, Queryable, Tx } from '../../platform/database/database.ts';
import { type PaymentEventType, paymentEvents } from './payment.events.ts';
import { onePayment } from './payment.parts.queries.ts';

type PaymentEvent = { type: PaymentEventType; id: string; invoiceId: string };

/** SQL for an event of this type with this payment of the invoice, as the list shows it. A payment has each once. */
export function paymentEvent(tx: Tx, companyId: string, { type, id, invoiceId }: PaymentEvent): Part {
  const subject = { companyId: tx`company_id`, type: tx`${type}::text`, id: tx`${id}::uuid` };
  return tx`
    SELECT company_id, ${lastingId(tx, subject)} AS id, ${type}::text AS type, ${onePayment(tx, id)} AS data
    FROM invoices WHERE company_id = ${companyId} AND id = ${invoiceId}`;
}

/** Inserts the event. */
export async function insertPaymentEvent(tx: Tx, companyId: string, event: PaymentEvent): Promise<void> {
  await tx`WITH changes AS (${paymentEvent(tx, companyId, event)}), ${paymentEvents.recordingParts(tx, event.type)} SELECT 1`;
}

/**
 * Reads the state of the invoice's payment that has neither failed nor paid only a part; null if there is none. It is a separate statement
 * after the lock, because a statement that waits for a lock reads the other tables as they were before.
 */
export async function selectLivePaymentState(db: Queryable, companyId: string, id: string): Promise<string | null> {
  const [row] = await db<{ state: string }[]>`
    SELECT state FROM payments WHERE company_id = ${companyId} AND invoice_id = ${id} AND state <> 'failed' AND NOT is_part`;
  return row?.state ?? null;
}
