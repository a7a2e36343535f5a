import { recordMark } from '../../continuity/journal/journal.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { MarkKind } from '../../platform/feature/feature.ts';
import type { Payment } from './payment.ts';

/** What the journal keeps of a payment. The gateway has the rest. */
export const PAYMENT_MARK: MarkKind = {
  table: 'payments',
  document: `json_build_object('invoiceId', invoice_id, 'gateway', gateway, 'amountMinor', amount_minor::text,
                               'creditMinor', credit_minor::text, 'currency', currency)`,
};

/**
 * Writes the payment's mark, which is its id: the gateway's objects carry it. `companyExternalId` is null for none; without it, the journal
 * reads it.
 */
export async function recordPaymentMark(
  tx: Tx,
  companyId: string,
  { id, invoiceId, gateway, amountMinor, creditMinor, currency }: JournaledPayment,
  companyExternalId?: Promise<string | null>,
): Promise<void> {
  const amounts = { amountMinor: String(amountMinor), creditMinor: String(creditMinor), currency };
  const document = JSON.stringify({ invoiceId, gateway, ...amounts });
  const known = companyExternalId === undefined ? {} : { companyExternalId };
  await recordMark(tx, companyId, { mark: id, kind: 'payment', subject: id, document, ...known });
}

type JournaledPayment = Pick<Payment, 'id' | 'invoiceId' | 'gateway' | 'amountMinor' | 'creditMinor' | 'currency'>;
