/**
 * PayPal has no list of orders. It captures an `invoice_id` once instead, as long as the account blocks more than one payment an invoice id
 * (`Block accidental payments`, which is the default), and its search of transactions, which lags up to three hours, tells by which order.
 */
import { PatchOp } from '@paypal/paypal-server-sdk';
import type { DebtRequest, GatewayDebtPayment } from '../gateway/gateway.ts';
import * as answers from './answers/answers.ts';
import type { AskPayPal } from './answers/connection.ts';
import { nextInvoiceId, toInvoiceId } from './answers/names.ts';
import { searchCaptures } from './paypal.books.ts';
import { findOrder, requireOrder } from './paypal.orders.ts';

/** Orders are read one by one, and an answer of long ago is none. */
const READS_AT_ONCE = 10;
/** How often a debt may have been captured and wholly given back. */
export const MAX_CAPTURES = 5;

/** The orders that the books have and, when it is asked to search, those by which the debt was captured. @throws GatewayError */
export async function listPaymentsOfDebt(
  begin: () => AskPayPal,
  { debt, known, searches = false, owedSince = null }: DebtRequest,
): Promise<GatewayDebtPayment[]> {
  const invoiceIds = new Set(Array.from({ length: MAX_CAPTURES }, (_, index) => toInvoiceId(debt, index + 1)));
  const searched = searches ? await searchCaptures(begin, invoiceIds, owedSince) : [];
  const ofBooks = known.flatMap(({ gatewayPaymentId }) => gatewayPaymentId ?? []);
  const ids = [...new Set([...ofBooks, ...searched])];
  const found: GatewayDebtPayment[] = [];
  while (ids.length > 0) {
    const orders = await Promise.all(ids.splice(0, READS_AT_ONCE).map((id) => findOrder(begin(), id)));
    for (const order of orders) if (order !== null) found.push(answers.toDebtPayment(order));
  }
  return found.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

/**
 * For an order whose invoice id PayPal has captured before: when all of that was given back, the order gets the next invoice id.
 * @returns the new invoice id; null when something is kept, or the search does not show yet what was captured. @throws GatewayError
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
