import { createCreditNote, type LostNote } from '../../../billing/invoices/invoices.service.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { formatDecimal } from '../../../platform/money/decimal.ts';
import { fromMinor } from '../../../platform/money/money.ts';
import { findLivePayment } from '../../payment/invoice-payments.service.ts';
import type { RefundablePayment } from './refunds.queries.ts';

/**
 * Issues the credit note that a refund still needs. What was credited after the payment and not refunded yet counts first; only the rest
 * needs a credit note of its own.
 * @param request - `lost` names the credit note that was issued with the refund before the database went back
 * @returns its id, or null
 */
export async function issueMissingCreditNote(
  tx: Tx,
  payment: RefundablePayment,
  { totalMinor, reason, lost = null }: { totalMinor: bigint; reason: string; lost?: LostNote | null },
): Promise<string | null> {
  const { invoiceId, currency, creditedMinor, refundedMinor, refundedCreditMinor } = payment;
  const dueMinor = creditedMinor - refundedMinor - refundedCreditMinor;
  if (totalMinor <= dueMinor) return null;
  const amount = formatDecimal(fromMinor(totalMinor - dueMinor, currency));
  const { id } = JSON.parse(await createCreditNote(tx, invoiceId, { amount, reason }, findLivePayment, lost)) as {
    id: string;
  };
  return id;
}
