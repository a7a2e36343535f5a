/** Validates the transactions of PayPal's search and converts them to the gateway's types, with the orders that they belong to. */
import type { Static } from 'typebox';
import { validate as isUuid } from 'uuid';
import { Type } from '../../../platform/http/schema/type.ts';
import type { GatewayPaymentObject, GatewayRefundObject } from '../../gateway/gateway.ts';
import { fromPayPalAmount } from './amounts.ts';
import { id, instant, listRefundsIn, money, type Order, reference, toDate, toDebtPayment, word } from './answers.ts';
import { readCustomId, readInvoiceId, readRefundCustomId } from './names.ts';

export const Transaction = Type.Object({
  transaction_id: id,
  paypal_reference_id: Type.Optional(id),
  paypal_reference_id_type: Type.Optional(word),
  transaction_initiation_date: instant,
  transaction_amount: money,
  transaction_status: Type.Enum(['D', 'P', 'S', 'V']),
  custom_field: reference,
  invoice_id: reference,
});
export type Transaction = Static<typeof Transaction>;
/** Transactions of kinds that Paydesk does not use may lack the other fields. */
export const TransactionPage = Type.Object({
  transaction_details: Type.Array(
    Type.Object({ transaction_info: Type.Object({ transaction_event_code: reference }) }),
  ),
  total_pages: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});

/** The order that a transaction belongs to; `order` is null if PayPal does not show it any more. */
export type OrderOfTransaction = { gatewayPaymentId: string; order: Order | null };

/** Reads when a transaction began. */
export function timeOf({ transaction_initiation_date: time }: Transaction): Date {
  return toDate(time);
}

/** Converts a captured payment, whose time is that of its capture. @throws GatewayError `outcome_unknown` */
export function toPaymentObject(
  transaction: Transaction,
  { gatewayPaymentId, order }: OrderOfTransaction,
): GatewayPaymentObject {
  const { amountMinor, currency } = amountOf(transaction);
  const [requested] = order?.purchase_units ?? [];
  const asked = requested?.amount;
  const origin = readCustomId(transaction.custom_field ?? '');
  const captured = { status: 'captured' as const, capturedAmountMinor: amountMinor, capturedCurrency: currency };
  const known = { id: gatewayPaymentId, ...captured, declineCode: null, refundedMinor: 0n, ...origin };
  const payment = order === null ? known : toDebtPayment(order);
  return {
    kind: 'payment',
    ...payment,
    reference: ours(payment.reference),
    amountMinor: asked === undefined ? amountMinor : fromPayPalAmount(asked.value, asked.currency_code),
    currency: asked?.currency_code ?? currency,
    debt: readInvoiceId(requested?.invoice_id ?? transaction.invoice_id),
    createdAt: timeOf(transaction),
  };
}

/** Converts a refund. @throws GatewayError `outcome_unknown` */
export function toRefundObject(
  transaction: Transaction,
  { gatewayPaymentId, order }: OrderOfTransaction,
): GatewayRefundObject {
  const { transaction_id: refundId, custom_field: customId = '' } = transaction;
  const shown = order === null ? undefined : listRefundsIn(order).find((refund) => refund.id === refundId);
  const origin = shown ?? readRefundCustomId(customId);
  return {
    kind: 'refund',
    status: 'succeeded',
    id: refundId,
    gatewayPaymentId,
    ...amountOf(transaction),
    reference: ours(origin.reference),
    details: origin.details,
    createdAt: timeOf(transaction),
  };
}

function amountOf({ transaction_amount: { value, currency_code: currency } }: Transaction) {
  return { amountMinor: fromPayPalAmount(value.replace('-', ''), currency), currency };
}

/** Others may use the same field for what they like. Our ids are UUIDs. */
function ours(text: string | null): string | null {
  return isUuid(text) ? text : null;
}
