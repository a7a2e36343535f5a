/** Validates PayPal's objects and converts them to the gateway's types. */

import type { Static, TSchema } from 'typebox';
import { Type } from '../../../platform/http/schema/type.ts';
import { matches, textLike } from '../../gateway/gateway.shapes.ts';
import {
  type GatewayDebtPayment,
  GatewayError,
  type GatewayPayment,
  type GatewayPaymentRefund,
  type GatewayRefund,
} from '../../gateway/gateway.ts';
import { fromPayPalAmount } from './amounts.ts';
import { declineCodeOfCapture } from './declines.ts';
import { readCustomId, readRefundCustomId } from './names.ts';

export const id = textLike(/^[\w-]{1,64}$/);
export const word = textLike(/^[A-Z][A-Z0-9_]{0,62}$/);
export const reference = Type.Optional(textLike(/^[\s\S]{0,255}$/));
export const money = Type.Object({
  currency_code: textLike(/^[A-Z]{3}$/),
  value: textLike(/^-?\d{1,18}(\.\d{1,6})?$/),
});
export const links = Type.Optional(Type.Array(Type.Object({ href: textLike(/^[\s\S]{1,2000}$/), rel: reference })));
const relatedOrder = Type.Optional(
  Type.Object({ related_ids: Type.Optional(Type.Object({ order_id: Type.Optional(id) })) }),
);

const Capture = Type.Object({
  id,
  status: word,
  status_details: Type.Optional(Type.Object({ reason: Type.Optional(word) })),
  amount: money,
});
export const instant = textLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/);
const Refund = Type.Object({
  id,
  status: word,
  amount: money,
  custom_id: reference,
  note_to_payer: reference,
  create_time: Type.Optional(instant),
});
const Order = Type.Object({
  id,
  create_time: Type.Optional(instant),
  status: word,
  intent: Type.Enum(['CAPTURE', 'AUTHORIZE']),
  purchase_units: Type.Array(
    Type.Object({
      amount: Type.Optional(money),
      custom_id: reference,
      invoice_id: reference,
      description: reference,
      payments: Type.Optional(
        Type.Object({
          captures: Type.Optional(Type.Array(Capture)),
          refunds: Type.Optional(Type.Array(Refund)),
        }),
      ),
    }),
  ),
});
export type Order = Static<typeof Order>;
type Capture = Static<typeof Capture>;
type Refund = Static<typeof Refund>;

export const Vaulted = Type.Object({
  id,
  customer: Type.Optional(Type.Object({ id: Type.Optional(id) })),
  payment_source: Type.Object({
    paypal: Type.Object({ email_address: textLike(/^[^\s@]{1,64}@[^\s@]{1,255}$/) }),
  }),
});
export const Verdict = Type.Object({ verification_status: Type.Enum(['SUCCESS', 'FAILURE']) });

/** The fields of a capture, a refund or a dispute that lead to its order. */
export const Related = Type.Object({
  id: Type.Optional(id),
  supplementary_data: relatedOrder,
  custom_id: reference,
  links,
  dispute_id: Type.Optional(id),
  disputed_transactions: Type.Optional(
    Type.Array(Type.Object({ seller_transaction_id: Type.Optional(id), custom: reference })),
  ),
});
export type Related = Static<typeof Related>;
/** An event that Paydesk does not use may have a resource of any shape. */
export const Event = Type.Object({
  id,
  event_type: textLike(/^[A-Z0-9_.-]{1,100}$/),
  resource: Type.Object({}),
});

/** Returns the answer if it has this shape. @throws GatewayError `outcome_unknown` */
export function read<Shape extends TSchema>(shape: Shape, answer: unknown): Static<Shape> {
  if (!matches(shape, answer)) throw unreadable();
  return answer;
}

/** Reads an order. @throws GatewayError `outcome_unknown`, also if it is not the order that was asked for */
export function readOrder(answer: unknown, expectedId?: string): Order {
  const order = read(Order, answer);
  if (expectedId !== undefined && order.id !== expectedId) throw unreadable();
  return order;
}

/**
 * Converts an order to a payment. It is canceled if it can't be captured any more: it is voided, or its intent is no longer to capture.
 * @throws GatewayError `outcome_unknown` while PayPal has not decided about a capture
 */
export function toPayment(order: Order): GatewayPayment {
  const nothing = { id: order.id, capturedAmountMinor: null, capturedCurrency: null, declineCode: null };
  const captures = capturesOf(order);
  const taken = captures.filter(({ status }) => TAKEN.has(status));
  if (taken.length > 0) return { ...nothing, status: 'captured', ...readTaken(taken) };
  if (captures.some(({ status }) => !REFUSED.has(status))) throw undecided();
  if (isClosed(order)) return { ...nothing, status: 'canceled' };
  const refused = captures.at(-1);
  if (refused !== undefined) {
    return { ...nothing, status: 'declined', declineCode: declineCodeOfCapture(refused.status_details?.reason) };
  }
  if (!OPEN.has(order.status)) throw unreadable();
  return { ...nothing, status: 'created' };
}

/** Converts an order as `toPayment` does, and adds its details and the refunded amount. @throws GatewayError */
export function toDebtPayment(order: Order): GatewayDebtPayment {
  const [{ custom_id: customId = '', description = '' } = {}] = order.purchase_units;
  const { reference: paymentId, sequence, details } = readCustomId(customId);
  const invoiceNumber = /^Invoice (.{1,60})$/.exec(description)?.[1];
  return {
    ...toPayment(order),
    ...{ sequence, reference: paymentId, details: { ...details, ...(invoiceNumber ? { invoiceNumber } : {}) } },
    refundedMinor: listRefundsIn(order).reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    createdAt: order.create_time === undefined ? new Date(0) : toDate(order.create_time),
  };
}

/** Whether nothing was captured and nothing can be: PayPal does not capture a completed order again, even if the capture failed. */
export function isFinished(order: Order): boolean {
  const isRefused = capturesOf(order).every(({ status }) => REFUSED.has(status));
  return isRefused && (isClosed(order) || (order.status === 'COMPLETED' && capturesOf(order).length > 0));
}

/** Returns the capture that took the money. @throws GatewayError `rejected` if there is none */
export function requireCapture(order: Order): Capture {
  const capture = capturesOf(order).find(({ status }) => TAKEN.has(status));
  if (capture === undefined) throw new GatewayError('rejected', 'Nothing was captured of the payment.');
  return capture;
}

/** Finds the order's refund with this reference, or null. @throws GatewayError `rejected` if it failed */
export function findRefundIn(order: Order, custom: string): GatewayRefund | null {
  const found = refundsOf(order).find(({ custom_id = '' }) => readRefundCustomId(custom_id).reference === custom);
  return found === undefined ? null : toRefund(found);
}

/** Lists the order's refunds that have not failed, the oldest first. @throws GatewayError `outcome_unknown` if one can't be read */
export function listRefundsIn(order: Order): GatewayPaymentRefund[] {
  const entries = refundsOf(order)
    .filter(({ status }) => !RETURNED.has(status))
    .map((refund) => {
      if (refund.create_time === undefined) throw unreadable();
      const { id: gatewayPaymentId } = order;
      const createdAt = toDate(refund.create_time);
      const { reference: ours, details } = readRefundCustomId(refund.custom_id ?? '');
      const said = { ...details, ...(refund.note_to_payer ? { reason: refund.note_to_payer } : {}) };
      return { ...toRefund(refund), gatewayPaymentId, reference: ours, details: said, createdAt };
    });
  return entries.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

/** Reads a refund; null if it has another reference. @throws GatewayError `rejected` if it failed, `outcome_unknown` if unreadable */
export function readRefund(answer: unknown, custom: string): GatewayRefund | null {
  const refund = read(Refund, answer);
  const isSame = refund.custom_id === undefined || readRefundCustomId(refund.custom_id).reference === custom;
  return isSame ? toRefund(refund) : null;
}

/** Returns the id in an object's link to its parent; null if the parent is of another kind. */
export function idOfLink({ links: all = [] }: Related, kind: 'orders' | 'captures'): string | null {
  const pattern =
    kind === 'orders' ? /\/v2\/checkout\/orders\/([\w-]{1,64})$/ : /\/v2\/payments\/captures\/([\w-]{1,64})$/;
  const up = all.find(({ rel, href }) => rel === 'up' && pattern.test(href));
  return up === undefined ? null : (pattern.exec(up.href)?.[1] ?? null);
}

/** Creates the error for an answer that has not the documented shape. */
export function unreadable(): GatewayError {
  return new GatewayError('outcome_unknown', "PayPal's answer has another shape than documented.");
}

const TAKEN: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']);
const REFUSED: ReadonlySet<string> = new Set(['DECLINED', 'FAILED']);
/** The statuses of refunds whose money came back to the seller. */
const RETURNED: ReadonlySet<string> = new Set(['FAILED', 'CANCELLED']);
const OPEN: ReadonlySet<string> = new Set(['CREATED', 'SAVED', 'APPROVED', 'PAYER_ACTION_REQUIRED']);

function capturesOf(order: Order): Capture[] {
  return order.purchase_units.flatMap(({ payments }) => payments?.captures ?? []);
}

function refundsOf(order: Order): Refund[] {
  return order.purchase_units.flatMap(({ payments }) => payments?.refunds ?? []);
}

/** Parses a time. PayPal leaves out the colon in some offsets. */
export function toDate(time: string): Date {
  return new Date(time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
}

function isClosed({ status, intent }: Order): boolean {
  return status === 'VOIDED' || (intent === 'AUTHORIZE' && OPEN.has(status));
}

function undecided(): GatewayError {
  return new GatewayError('outcome_unknown', 'PayPal has not decided about the payment yet.');
}

function readTaken(captures: Capture[]): { capturedAmountMinor: bigint; capturedCurrency: string } {
  const [{ currency_code: currency } = { currency_code: '' }] = captures.map(({ amount }) => amount);
  let sum = 0n;
  for (const { amount } of captures) {
    if (amount.currency_code !== currency) throw unreadable();
    sum += fromPayPalAmount(amount.value, currency);
  }
  return { capturedAmountMinor: sum, capturedCurrency: currency };
}

function toRefund({ id: refundId, status, amount }: Refund): GatewayRefund {
  if (RETURNED.has(status)) {
    throw new GatewayError('rejected', `PayPal could not refund the payment: ${status}.`);
  }
  if (status !== 'COMPLETED' && status !== 'PENDING') throw unreadable();
  const { currency_code: currency, value } = amount;
  return { id: refundId, amountMinor: fromPayPalAmount(value, currency), currency };
}
