/** Validates Stripe's objects and converts them to the gateway's types. */

import type { Static, TSchema } from 'typebox';
import { Type } from '../../../platform/http/schema/type.ts';
import { readPaymentDetails, readRefundDetails, writePaymentDetails } from '../../gateway/gateway.metadata.ts';
import { matches, textLike } from '../../gateway/gateway.shapes.ts';
import {
  type DebtRequest,
  type GatewayDebtPayment,
  GatewayError,
  type GatewayPayment,
  type GatewayPaymentObject,
  type GatewayRefund,
  type GatewayRefundObject,
  type PaymentRequest,
} from '../../gateway/gateway.ts';
import { fromStripeAmount } from './stripe.amounts.ts';

const id = textLike(/^[\w-]{1,255}$/);
const amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const currency = textLike(/^[a-z]{3}$/);
const word = textLike(/^[a-z0-9_]{1,64}$/);
const someWord = Type.Optional(Type.Union([word, Type.Null()]));
const someText = Type.Optional(textLike(/^[\s\S]{0,500}$/));
const someReference = Type.Optional(textLike(/^[\s\S]{1,255}$/));
const seconds = Type.Integer({ minimum: 0, maximum: 100_000_000_000 });

/** Where the bank asks the customer; other kinds of actions have another object in its place. */
const redirect = Type.Optional(
  Type.Union([Type.Null(), Type.Object({ url: Type.Optional(Type.Union([Type.Null(), Type.String()])) })]),
);

const Named = Type.Object({ id });
const PaymentIntent = Type.Object({
  id,
  object: Type.Enum(['payment_intent']),
  status: word,
  amount,
  amount_received: amount,
  currency,
  created: seconds,
  latest_charge: Type.Optional(Type.Union([Type.Null(), id, Type.Object({ amount_refunded: amount })])),
  metadata: Type.Object({ paydesk_payment: someReference, paydesk_debt: someText, paydesk_sequence: someText }),
  last_payment_error: Type.Union([
    Type.Null(),
    Type.Object({ code: someWord, decline_code: someWord, payment_method: Type.Optional(Type.Object({ id })) }),
  ]),
  client_secret: Type.Optional(Type.Union([textLike(/^\w{1,500}$/), Type.Null()])),
  next_action: Type.Optional(Type.Union([Type.Null(), Type.Object({ redirect_to_url: redirect })])),
});
type PaymentIntent = Static<typeof PaymentIntent>;

const Refund = Type.Object({
  id,
  object: Type.Enum(['refund']),
  status: Type.Enum(['succeeded', 'pending', 'requires_action', 'failed', 'canceled']),
  amount,
  currency,
  created: seconds,
  payment_intent: Type.Union([id, Type.Null()]),
  metadata: Type.Union([Type.Null(), Type.Object({ paydesk_refund: someReference })]),
});
type Refund = Static<typeof Refund>;

export const Customer = Type.Object({ id, object: Type.Enum(['customer']) });
export const PaymentMethod = Type.Object({
  id,
  object: Type.Enum(['payment_method']),
  card: Type.Object({ brand: textLike(/^[a-z_]{1,30}$/) }),
});

/** An event whose object names its payment, by its own id or by a field. */
export const Event = Type.Object({
  id,
  object: Type.Enum(['event']),
  type: textLike(/^[a-z0-9_.]{1,100}$/),
  data: Type.Object({
    object: Type.Object({
      object: word,
      id: Type.Optional(id),
      payment_intent: Type.Optional(Type.Union([id, Type.Null()])),
      metadata: Type.Optional(Type.Union([Type.Object({ paydesk_refund: someReference }), Type.Null()])),
    }),
  }),
});

/** Returns the answer if it has this shape. @throws GatewayError `outcome_unknown` */
export function read<Shape extends TSchema>(shape: Shape, answer: unknown): Static<Shape> {
  if (!matches(shape, answer)) throw unreadable();
  return answer;
}

/** Converts an intent to a payment. @throws GatewayError `outcome_unknown` for a status that it does not know */
export function readPayment(answer: unknown, expectedId?: string): GatewayPayment {
  const intent = read(PaymentIntent, answer);
  if (expectedId !== undefined && intent.id !== expectedId) throw unreadable();
  const payment = toPayment(intent);
  if (payment === null) throw new GatewayError('outcome_unknown', 'Stripe has not decided about the payment yet.');
  return payment;
}

/** Reads which card was charged off session, when the bank wants to ask its holder; null in any other state. */
export function readRefusedCard(answer: unknown, expectedId: string): string | null {
  const { id: intentId, status, last_payment_error: refusal } = read(PaymentIntent, answer);
  if (intentId !== expectedId) throw unreadable();
  const isAsked = status === 'requires_payment_method' && refusal?.code === 'authentication_required';
  return isAsked ? (refusal.payment_method?.id ?? null) : null;
}

/** Returns null for a status that is not documented here. */
function toPayment(intent: PaymentIntent): GatewayPayment | null {
  const nothing = { id: intent.id, capturedAmountMinor: null, capturedCurrency: null, declineCode: null };
  switch (intent.status) {
    case 'succeeded':
      return { ...nothing, status: 'captured', ...readCapture(intent) };
    case 'canceled':
      return { ...nothing, status: 'canceled' };
    case 'requires_confirmation':
      return { ...nothing, status: 'created' };
    case 'requires_payment_method':
      if (intent.last_payment_error === null) return { ...nothing, status: 'created' };
      // The bank wants to ask a customer who was not there: https://docs.stripe.com/declines/codes
      if (intent.last_payment_error.code === 'authentication_required') return waiting(intent);
      return { ...nothing, status: 'declined', declineCode: readDeclineCode(intent.last_payment_error) };
    case 'requires_action':
      return waiting(intent);
    case 'processing':
      return { ...nothing, status: 'processing' };
    default:
      return null;
  }
}

/** The customer can confirm the charge, with Stripe's script or at the address that it shows. */
function waiting({ id: intentId, client_secret: clientSecret, next_action: next }: PaymentIntent): GatewayPayment {
  if (typeof clientSecret !== 'string') throw unreadable();
  const url = next?.redirect_to_url?.url ?? '';
  return {
    ...{
      id: intentId,
      status: 'requires_action',
      capturedAmountMinor: null,
      capturedCurrency: null,
      declineCode: null,
    },
    action: { clientSecret, redirectUrl: /^https?:\/\/[^\s]{1,2000}$/.test(url) ? url : null },
  };
}

/** Reads only the id of a payment. @throws GatewayError `outcome_unknown` */
export function readPaymentId(answer: unknown): string {
  return read(Named, answer).id;
}

/** Returns the id of a page's last entry if another page follows. @throws GatewayError `outcome_unknown` */
export function readLastId({ data, has_more }: { data: readonly unknown[]; has_more: boolean }): string | undefined {
  return has_more ? readPaymentId(data.at(-1)) : undefined;
}

/** Builds an intent's metadata. Stripe allows 40 characters for a key and 500 for a value (https://docs.stripe.com/api/metadata). */
export function writeMetadata({
  reference,
  debt,
  sequence,
  details,
}: Pick<PaymentRequest, 'reference' | 'debt' | 'sequence' | 'details'>): Record<string, string> {
  const own = { paydesk_payment: reference, paydesk_debt: debt, paydesk_sequence: String(sequence) };
  return { ...own, ...writePaymentDetails(details) };
}

/** Reads what an intent's metadata says of its payment; null for what it lacks. */
function readOrigin({ created, metadata }: PaymentIntent) {
  const { paydesk_payment: reference, paydesk_debt: debt, paydesk_sequence: sequence = '' } = metadata;
  return {
    reference: reference ?? null,
    debt: debt ?? null,
    sequence: /^[1-9]\d{0,6}$/.test(sequence) ? Number(sequence) : null,
    createdAt: new Date(created * 1_000),
    details: readPaymentDetails(metadata),
  };
}

/**
 * Returns the intent, without its refunds, if it belongs to the debt or is one of the known payments.
 * @throws GatewayError `outcome_unknown`, as `readPayment` does
 */
export function readDebtPayment(
  answer: unknown,
  { debt, known }: Pick<DebtRequest, 'debt' | 'known'>,
): GatewayDebtPayment | null {
  const intent = read(PaymentIntent, answer);
  const origin = readOrigin(intent);
  const isKnown = known.some((one) => one.gatewayPaymentId === intent.id || one.reference === origin.reference);
  if (origin.debt === null ? !isKnown : origin.debt !== debt) return null;
  const { action: _action, ...payment } = readPayment(intent);
  return { ...payment, ...origin, refundedMinor: 0n };
}

/**
 * Converts any intent to a line of a list. `refundedMinor` is the amount of its charge, if that was expanded, which may include failed
 * refunds. @throws GatewayError `outcome_unknown`
 */
export function readPaymentObject(answer: unknown): GatewayPaymentObject {
  const intent = read(PaymentIntent, answer);
  const currencyCode = intent.currency.toUpperCase();
  const charge = intent.latest_charge;
  const refunded = typeof charge === 'object' && charge !== null ? charge.amount_refunded : 0;
  const undecided = { id: intent.id, status: 'undecided' as const };
  const { action: _action, ...payment } = toPayment(intent) ?? {
    ...{ ...undecided, capturedAmountMinor: null, capturedCurrency: null, declineCode: null, action: undefined },
  };
  return {
    kind: 'payment',
    ...payment,
    ...readOrigin(intent),
    amountMinor: fromStripeAmount(intent.amount, currencyCode),
    currency: currencyCode,
    refundedMinor: fromStripeAmount(refunded, currencyCode),
  };
}

/** Converts a refund. @throws GatewayError `rejected` if it failed, `outcome_unknown` if it can't be read */
export function readRefund(answer: unknown): GatewayRefund {
  const refund = read(Refund, answer);
  if (isUndone(refund)) throw new GatewayError('rejected', `Stripe could not refund the payment: ${refund.status}.`);
  return toRefund(refund);
}

/** Converts a refund to a line of a list; null if it belongs to no payment intent. @throws GatewayError `outcome_unknown` */
export function readRefundObject(answer: unknown): GatewayRefundObject | null {
  const refund = read(Refund, answer);
  if (refund.payment_intent === null) return null;
  return {
    kind: 'refund',
    ...toRefund(refund),
    status: isUndone(refund) ? 'failed' : 'succeeded',
    gatewayPaymentId: refund.payment_intent,
    reference: refund.metadata?.paydesk_refund ?? null,
    createdAt: new Date(refund.created * 1_000),
    details: readRefundDetails(refund.metadata ?? {}),
  };
}

/** Creates the error for an answer that has not the documented shape. */
export function unreadable(): GatewayError {
  return new GatewayError('outcome_unknown', "Stripe's answer has another shape than documented.");
}

function readCapture(intent: PaymentIntent): { capturedAmountMinor: bigint; capturedCurrency: string } {
  const capturedCurrency = intent.currency.toUpperCase();
  return { capturedAmountMinor: fromStripeAmount(intent.amount_received, capturedCurrency), capturedCurrency };
}

function readDeclineCode({ code, decline_code }: NonNullable<PaymentIntent['last_payment_error']>): string {
  if (code === 'payment_intent_authentication_failure') return 'authentication_failed';
  return decline_code ?? code ?? 'generic_decline';
}

function isUndone({ status }: Refund): boolean {
  return status === 'failed' || status === 'canceled';
}

function toRefund({ id: refundId, amount: refunded, currency: code }: Refund): GatewayRefund {
  const refundCurrency = code.toUpperCase();
  return { id: refundId, amountMinor: fromStripeAmount(refunded, refundCurrency), currency: refundCurrency };
}
