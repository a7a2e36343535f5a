/**
 * The data and operations of the stand-in for Stripe: customers, cards, payments, refunds and events. They are kept in
 * memory.
 */
import type { BankDecision } from '../../../src/gateways/sandbox/bank/charges.ts';
import { createIdempotencyKeys, type IdempotencyKeys } from './stripe-server.keys.ts';
import {
  type BalanceTransaction,
  type Customer,
  type Dispute,
  feeOf,
  invalid,
  metadataOf,
  missing,
  newId,
  newPaymentIntent,
  newTransaction,
  nowSeconds,
  type PaymentError,
  type PaymentIntent,
  type PaymentMethod,
  type Payout,
  type Refund,
  type SetupIntent,
  StripeError,
  type StripeEvent,
} from './stripe-server.objects.ts';

export type Form = Readonly<Record<string, string>>;
/** Changes the bank's decision. Amounts are in Stripe's units. */
export type BendDecision = (honest: BankDecision) => BankDecision;

/** Stripe's minimum amounts. */
const SMALLEST_AMOUNT: Readonly<Record<string, number>> = { usd: 50, eur: 50, jpy: 50 };

/** The account's, of the greatest length. */
const STATEMENT_PREFIX = 'PAYDESKLTD';

type KnownMethod = PaymentMethod & { declines: { attached?: string; charged?: string }; isDetached?: true };
export type StripeBooks = {
  /** Whether Stripe has enabled card numbers for the account. */
  takesCardNumbers: boolean;
  /** Whether the account may search. */
  searches: boolean;
  customers: Map<string, Customer>;
  methods: Map<string, KnownMethod>;
  intents: Map<string, PaymentIntent>;
  /**
   * The amount with which each payment was requested, in Stripe's units, and the card token as our adapter writes it.
   */
  asked: Map<string, { amount: number; currency: string; sourceToken: string }>;
  setups: Map<string, SetupIntent>;
  captures: { id: string; paymentId: string; amount: number; currency: string }[];
  refunds: Refund[];
  disputes: Dispute[];
  /** What moved the balance of the account, and the payout that each movement left with. */
  transactions: BalanceTransaction[];
  payouts: { payout: Payout; transactionIds: string[] }[];
  events: StripeEvent[];
  keys: IdempotencyKeys;
};

/** Creates empty books. */
export function createStripeBooks({ takesCardNumbers = true } = {}): StripeBooks {
  const maps = { customers: new Map(), methods: new Map(), intents: new Map(), asked: new Map(), setups: new Map() };
  return {
    takesCardNumbers,
    searches: true,
    ...maps,
    captures: [],
    refunds: [],
    disputes: [],
    transactions: [],
    payouts: [],
    events: [],
    keys: createIdempotencyKeys(),
  };
}

/** Creates a payment that moves no money yet. */
export function createPaymentIntent(books: StripeBooks, form: Form, key: string | null): PaymentIntent {
  const { currency = '', customer: customerId = null, payment_method: methodId = null } = form;
  if (!/^\d{1,12}$/.test(form.amount ?? '')) throw invalid('amount', 'parameter_invalid_integer');
  const amount = Number(form.amount);
  if (amount < 1) throw invalid('amount', 'parameter_invalid_integer');
  if (!/^[a-z]{3}$/.test(currency)) throw invalid('currency');
  if (amount < (SMALLEST_AMOUNT[currency] ?? 1)) throw invalid('amount', 'amount_too_small');
  if (form.confirm !== undefined && form.confirm !== 'false') throw invalid('confirm');
  if (form.off_session !== undefined) throw invalid('off_session');
  if (customerId !== null && !books.customers.has(customerId)) throw missing('customer');
  const method = methodId === null ? null : books.methods.get(methodId);
  if (method === undefined) throw missing('payment_method');
  // A card that nobody has may be charged once (https://docs.stripe.com/api/payment_intents/create#create_payment_intent-customer).
  const isNobodys = method?.customer === null && !method.isDetached;
  if (method !== null && method.customer !== customerId && !isNobodys)
    throw invalid('payment_method', 'payment_method_unexpected_state');
  const metadata = metadataOf(form);
  const types = [form['payment_method_types[0]'] ?? 'card'];
  const { statement_descriptor_suffix: suffix } = form;
  if (suffix !== undefined && `${STATEMENT_PREFIX}* ${suffix}`.length > 22)
    throw invalid('statement_descriptor_suffix', 'parameter_invalid_string_too_long');
  if (suffix !== undefined && !/^(?=.*[A-Za-z])[^<>\\'"*]+$/.test(suffix)) throw invalid('statement_descriptor_suffix');
  const intent = newPaymentIntent({
    amount,
    currency,
    customer: customerId,
    description: form.description ?? null,
    metadata,
    payment_method: methodId,
    payment_method_types: types,
    statement_descriptor_suffix: suffix ?? null,
  });
  books.intents.set(intent.id, intent);
  books.asked.set(intent.id, { amount, currency, sourceToken: `${customerId}/${methodId}` });
  emit(books, 'payment_intent.created', intent, key);
  return structuredClone(intent);
}

/** Captures a payment, once. */
export function confirmPaymentIntent(
  books: StripeBooks,
  { id, form, key }: { id: string; form: Form; key: string | null },
  bend: BendDecision,
): PaymentIntent {
  const intent = requireIntent(books, id);
  if (intent.status !== 'requires_confirmation') throw unexpectedState(intent);
  if (form.off_session !== 'true') throw invalid('return_url', 'parameter_missing');
  const method = books.methods.get(intent.payment_method ?? '');
  if (method?.isDetached) throw invalid('payment_method', 'payment_method_unexpected_state');
  const declineCode = method?.declines.charged;
  const { amount, currency } = intent;
  const honest: BankDecision =
    declineCode === undefined ? { amountMinor: BigInt(amount), currency: currency.toUpperCase() } : { declineCode };
  const decision = bend(honest);
  if ('declineCode' in decision) throw decline(books, intent, decision.declineCode, key);
  if (method?.customer === null) method.isDetached = true;
  const capture = {
    id: newId('ch'),
    paymentId: id,
    amount: Number(decision.amountMinor),
    currency: decision.currency.toLowerCase(),
  };
  books.captures.push(capture);
  moveBalance(books, { type: 'charge', source: capture.id, ...capture, fee: feeOf(capture.amount) });
  const taken = { amount_received: capture.amount, currency: capture.currency, latest_charge: capture.id };
  Object.assign(intent, { status: 'succeeded', last_payment_error: null, ...taken });
  emit(books, 'payment_intent.succeeded', intent, key);
  return structuredClone(intent);
}

/** Cancels a payment that captured nothing. */
export function cancelPaymentIntent(books: StripeBooks, id: string, key: string | null): PaymentIntent {
  const intent = requireIntent(books, id);
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) {
    throw unexpectedState(intent);
  }
  Object.assign(intent, { status: 'canceled', canceled_at: nowSeconds() });
  emit(books, 'payment_intent.canceled', intent, key);
  return structuredClone(intent);
}

/** Returns a copy of the payment. */
export function findPaymentIntent(books: StripeBooks, id: string): PaymentIntent {
  return structuredClone(requireIntent(books, id));
}

/** Refunds a payment, never more than was captured. */
export function createRefund(books: StripeBooks, form: Form, key: string | null): Refund {
  const intent = books.intents.get(form.payment_intent ?? '');
  if (intent === undefined) throw missing('payment_intent');
  if (intent.status !== 'succeeded') throw unexpectedState(intent);
  if (!/^[1-9]\d{0,11}$/.test(form.amount ?? '')) throw invalid('amount', 'parameter_invalid_integer');
  const amount = Number(form.amount);
  if (books.disputes.some((dispute) => dispute.payment_intent === intent.id && !dispute.is_charge_refundable))
    throw new StripeError(400, { type: 'invalid_request_error', code: 'charge_disputed' });
  const given = books.refunds.filter((refund) => refund.payment_intent === intent.id && refund.status !== 'failed');
  const left = intent.amount_received - given.reduce((sum, refund) => sum + refund.amount, 0);
  if (left === 0) throw new StripeError(400, { type: 'invalid_request_error', code: 'charge_already_refunded' });
  if (amount > left) throw new StripeError(400, { type: 'invalid_request_error', param: 'amount' });
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    charge: intent.latest_charge,
    created: nowSeconds(),
    currency: intent.currency,
    metadata: metadataOf(form),
    payment_intent: intent.id,
    reason: null,
    status: 'succeeded',
  };
  books.refunds.push(refund);
  moveBalance(books, { type: 'refund', source: refund.id, amount: -amount, currency: refund.currency });
  const charge = {
    id: intent.latest_charge,
    object: 'charge',
    payment_intent: intent.id,
    refunded: amount === left,
  };
  emit(books, 'charge.refunded', charge, key);
  emit(books, 'refund.created', refund, key);
  return structuredClone(refund);
}

/** Returns the intent as a list shows it, with its charge in place of the charge's id if the request expands it. */
export function expandCharge({ refunds }: StripeBooks, intent: PaymentIntent, form: Form): object {
  if (form['expand[0]'] !== 'data.latest_charge' || intent.latest_charge === null) return intent;
  // Stripe does not document whether failed refunds are left out of the sum.
  const given = refunds.filter((refund) => refund.payment_intent === intent.id);
  const refunded = given.reduce((sum, { amount }) => sum + amount, 0);
  const { latest_charge: id, amount, currency, metadata } = intent;
  const charge = {
    id,
    object: 'charge',
    amount,
    amount_refunded: refunded,
    currency,
    payment_intent: intent.id,
    metadata,
  };
  return { ...intent, latest_charge: charge };
}

/** Records a movement of the balance. */
export function moveBalance(books: StripeBooks, movement: Parameters<typeof newTransaction>[0]): BalanceTransaction {
  const transaction = newTransaction(movement);
  books.transactions.push(transaction);
  return transaction;
}

/** Records an event for the webhook. `key` is the idempotency key of the request that caused it. */
export function emit(books: StripeBooks, type: string, object: object, key: string | null): void {
  books.events.push({
    id: newId('evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: nowSeconds(),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: newId('req'), idempotency_key: key },
    type,
  });
}

/** Returns the payment itself. */
export function requireIntent(books: StripeBooks, id: string): PaymentIntent {
  const intent = books.intents.get(id);
  if (intent === undefined) throw missing('intent', true);
  return intent;
}

function unexpectedState(intent: PaymentIntent): StripeError {
  return new StripeError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    payment_intent: structuredClone(intent),
  });
}

function decline(books: StripeBooks, intent: PaymentIntent, declineCode: string, key: string | null): StripeError {
  const code = declineCode === 'authentication_required' ? declineCode : 'card_declined';
  const error: PaymentError = {
    type: 'card_error',
    code,
    decline_code: declineCode,
    message: 'Your card was declined.',
  };
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null, last_payment_error: error });
  emit(books, 'payment_intent.payment_failed', intent, key);
  return new StripeError(402, { ...error, charge: newId('ch'), payment_intent: structuredClone(intent) });
}
