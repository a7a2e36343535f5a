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

export type KnownMethod = PaymentMethod & {
  declines: { attached?: string; charged?: string };
  isDetached?: true;
  /** When the bank asks the holder: in each charge, only while the holder is there, or unless a setup saved the card. */
  asks?: 'always' | 'on_session' | 'unless_set_up';
  isSetUp?: true;
};
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
  books.asked.set(intent.id, {
    amount,
    currency,
    sourceToken: `${customerId}/${methodId}${types[0] === 'sepa_debit' ? '/sepa_debit' : ''}`,
  });
  emit(books, 'payment_intent.created', intent, key);
  return structuredClone(intent);
}

/** Captures a payment, once, or has the bank ask the holder of the card. */
export function confirmPaymentIntent(
  books: StripeBooks,
  { id, form, key }: { id: string; form: Form; key: string | null },
  bend: BendDecision,
): PaymentIntent {
  const intent = requireIntent(books, id);
  const isAskedAgain = intent.status === 'requires_payment_method' && form.payment_method !== undefined;
  if (isAskedAgain) intent.payment_method = form.payment_method ?? null;
  else if (intent.status !== 'requires_confirmation') throw unexpectedState(intent);
  const { off_session: offSession, return_url: returnUrl } = form;
  if ((offSession === 'true') === (returnUrl !== undefined)) throw invalid('return_url', 'parameter_missing');
  const method = books.methods.get(intent.payment_method ?? '');
  if (method?.isDetached) throw invalid('payment_method', 'payment_method_unexpected_state');
  const asks = method?.asks ?? 'never';
  if (returnUrl !== undefined && asks !== 'never') return askHolder(books, intent, returnUrl, key);
  const isAsked = asks === 'always' || (asks === 'unless_set_up' && method?.isSetUp !== true);
  const declineCode = isAsked ? 'authentication_required' : declineCodeOf(method);
  if (method?.type === 'sepa_debit') {
    intent.status = 'processing';
    emit(books, 'payment_intent.processing', intent, key);
    return structuredClone(intent);
  }
  return decide(books, intent, bend(declineCode === undefined ? wholeOf(intent) : { declineCode }), key);
}

function askHolder(books: StripeBooks, intent: PaymentIntent, returnUrl: string, key: string | null): PaymentIntent {
  const url = `https://hooks.stripe.invalid/3d_secure_2/${newId('x')}`;
  const next = { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } };
  Object.assign(intent, { status: 'requires_action', next_action: next, last_payment_error: null });
  emit(books, 'payment_intent.requires_action', intent, key);
  return structuredClone(intent);
}

/** Why the bank declines each charge of the card, if it does. */
export function declineCodeOf(method: KnownMethod | undefined): string | undefined {
  return method?.asks === 'on_session' ? 'insufficient_funds' : method?.declines.charged;
}

/** The decision of a bank that pays. */
export function wholeOf({ amount, currency }: PaymentIntent): BankDecision {
  return { amountMinor: BigInt(amount), currency: currency.toUpperCase() };
}

/** Captures the payment, or declines it, as the bank has decided. */
export function decide(
  books: StripeBooks,
  intent: PaymentIntent,
  decision: BankDecision,
  key: string | null,
): PaymentIntent {
  if ('declineCode' in decision) throw decline(books, intent, decision.declineCode, key);
  const method = books.methods.get(intent.payment_method ?? '');
  if (method?.customer === null) method.isDetached = true;
  const taking = {
    id: newId('ch'),
    paymentId: intent.id,
    amount: Number(decision.amountMinor),
    currency: decision.currency.toLowerCase(),
  };
  books.captures.push(taking);
  moveBalance(books, { type: 'charge', source: taking.id, ...taking, fee: feeOf(taking.amount) });
  const taken = { amount_received: taking.amount, currency: taking.currency, latest_charge: taking.id };
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

/** Creates the error for a payment in another state than the request needs. */
export function unexpectedState(intent: PaymentIntent): StripeError {
  return new StripeError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    payment_intent: structuredClone(intent),
  });
}

/** Declines the payment. */
export function decline(
  books: StripeBooks,
  intent: PaymentIntent,
  declineCode: string,
  key: string | null,
): StripeError {
  const message = 'Your card was declined.';
  // A debit that comes back has its reason as the code itself (https://docs.stripe.com/error-codes).
  const isDebit = intent.payment_method_types.includes('sepa_debit');
  const code = isDebit || declineCode === 'authentication_required' ? declineCode : 'card_declined';
  const error: PaymentError = { type: 'card_error', code, message, ...(isDebit ? {} : { decline_code: declineCode }) };
  if (intent.payment_method !== null) error.payment_method = { id: intent.payment_method };
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null, last_payment_error: error });
  emit(books, 'payment_intent.payment_failed', intent, key);
  return new StripeError(402, { ...error, charge: newId('ch'), payment_intent: structuredClone(intent) });
}
