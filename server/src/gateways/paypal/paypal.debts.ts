/**
 * PayPal has no list of orders. But it captures an `invoice_id` only once, as long as the account blocks more than one payment for an
 * invoice id (`Block accidental payments`, the default), and its transaction search finds the order, with a lag of up to three hours.
 */
import { PatchOp } from '@paypal/paypal-server-sdk';
import { readTogether } from '../gateway/gateway.objects.ts';
import type { DebtRequest, GatewayDebtPayment } from '../gateway/gateway.ts';
import * as answers from './answers/answers.ts';
import type { AskPayPal } from './answers/connection.ts';
import { nextInvoiceId, toInvoiceId } from './answers/names.ts';
import { searchCaptures } from './paypal.books.ts';
import { findOrder, requireOrder } from './paypal.orders.ts';

/** The number of captures of one debt, each but the last fully refunded. */
export const MAX_CAPTURES = 5;

/** Lists the orders in our books and, if `searches` is set, the orders that the search finds for the debt. @throws GatewayError */
export async function listPaymentsOfDebt(
  begin: () => AskPayPal,
  { debt, known, searches = false, owedSince = null }: DebtRequest,
): Promise<GatewayDebtPayment[]> {
  const invoiceIds = new Set(Array.from({ length: MAX_CAPTURES }, (_, index) => toInvoiceId(debt, index + 1)));
  const searched = searches ? await searchCaptures(begin, invoiceIds, owedSince) : [];
  const ofBooks = known.flatMap(({ gatewayPaymentId }) => gatewayPaymentId ?? []);
  const ids = [...new Set([...ofBooks, ...searched])];
  const orders = await readTogether(ids, (id) => findOrder(begin(), id));
  const found = orders.flatMap((order) => (order === null ? [] : [answers.toDebtPayment(order)]));
  return found.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

/**
 * Gives an order the next invoice id if PayPal captured its present one before and all of that was refunded.
 * @returns the new invoice id; null if not all was refunded, or if the search does not show the capture yet. @throws GatewayError
 */
export async function advanceInvoiceId(begin: () => AskPayPal, orderId: string): Promise<string | null> {
  const invoiceId = (await requireOrder(begin(), orderId)).purchase_units[0]?.invoice_id;
  if (invoiceId === undefined) return null;
  const ids = await searchCaptures(begin, new Set([invoiceId]));
  for (const id of ids) {
    const captured = await findOrder(begin(), id);
    const { capturedAmountMinor, refundedMinor } =
      captured === null ? { capturedAmountMinor: null, refundedMinor: 0n } : answers.toDebtPayment(captured);
    if (capturedAmountMinor === null || refundedMinor < capturedAmountMinor) return null;
  }
  if (ids.length === 0) return null;
  const next = nextInvoiceId(invoiceId);
  const path = "/purchase_units/@reference_id=='default'/invoice_id";
  const body = [{ op: PatchOp.Replace, path, value: next }];
  await begin()(({ orders }) => orders.patchOrder({ id: orderId, body }));
  return next;
}
