/** The objects of the stand-in for Stripe, in the shapes that Stripe documents (https://docs.stripe.com/api). */
import { randomBytes } from 'node:crypto';

export type Metadata = Record<string, string>;
export type PaymentMethod = {
  id: string;
  object: 'payment_method';
  billing_details: { address: { country: string | null }; name: string | null };
  card?: { brand: string; exp_month: number; exp_year: number; last4: string; fingerprint: string };
  created: number;
  customer: string | null;
  livemode: false;
  metadata: Metadata;
  sepa_debit?: { country: string; fingerprint: string; last4: string };
  type: 'card' | 'sepa_debit';
};
export type Customer = {
  id: string;
  object: 'customer';
  created: number;
  email: string | null;
  livemode: false;
  metadata: Metadata;
  name: string | null;
};
export type PaymentError = {
  type: 'card_error' | 'invalid_request_error';
  code: string;
  decline_code?: string;
  message: string;
  /** The card that was charged, which the intent does not have any more. */
  payment_method?: { id: string };
};
export type PaymentIntent = {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_capturable: 0;
  amount_received: number;
  canceled_at: number | null;
  capture_method: 'automatic';
  client_secret: string;
  confirmation_method: 'automatic';
  created: number;
  currency: string;
  customer: string | null;
  description: string | null;
  last_payment_error: PaymentError | null;
  latest_charge: string | null;
  livemode: false;
  metadata: Metadata;
  next_action: { type: string; redirect_to_url: { return_url: string; url: string } } | null;
  payment_method: string | null;
  payment_method_types: string[];
  processing: null;
  setup_future_usage: null;
  statement_descriptor_suffix: string | null;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'processing'
    | 'requires_action'
    | 'succeeded'
    | 'canceled';
};
export type SetupIntent = {
  id: string;
  object: 'setup_intent';
  client_secret: string;
  created: number;
  customer: string | null;
  livemode: false;
  /** Of a debit, once it is confirmed. */
  mandate: string | null;
  metadata: Metadata;
  payment_method: string | null;
  payment_method_types: string[];
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded' | 'canceled';
  usage: 'off_session' | 'on_session';
};
export type Refund = {
  id: string;
  object: 'refund';
  amount: number;
  charge: string | null;
  created: number;
  currency: string;
  metadata: Metadata;
  payment_intent: string;
  reason: null;
  status: 'succeeded' | 'pending' | 'failed';
};
export type BalanceTransaction = {
  id: string;
  object: 'balance_transaction';
  /** Negative for money that was withdrawn from the account. */
  amount: number;
  available_on: number;
  created: number;
  currency: string;
  description: string;
  exchange_rate: null;
  fee: number;
  fee_details: { amount: number; application: null; currency: string; description: string; type: 'stripe_fee' }[];
  net: number;
  reporting_category: 'charge' | 'refund' | 'dispute' | 'dispute_reversal' | 'payout' | 'payout_reversal';
  source: string;
  status: 'pending' | 'available';
  type: 'charge' | 'refund' | 'adjustment' | 'payout' | 'payout_failure';
};
export type Payout = {
  id: string;
  object: 'payout';
  amount: number;
  arrival_date: number;
  automatic: boolean;
  balance_transaction: string;
  created: number;
  currency: string;
  failure_balance_transaction: string | null;
  livemode: false;
  metadata: Metadata;
  method: 'standard';
  reconciliation_status: 'completed' | 'in_progress' | 'not_applicable';
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';
  type: 'bank_account';
};
export type Dispute = {
  id: string;
  object: 'dispute';
  amount: number;
  balance_transactions: BalanceTransaction[];
  charge: string | null;
  created: number;
  currency: string;
  enhanced_eligibility_types: string[];
  evidence: { uncategorized_text: string | null };
  evidence_details: { due_by: number | null; has_evidence: boolean; past_due: boolean; submission_count: number };
  is_charge_refundable: boolean;
  livemode: false;
  metadata: Metadata;
  payment_intent: string;
  reason: string;
  status:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed';
};
export type StripeEvent = {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object };
  livemode: false;
  pending_webhooks: 1;
  request: { id: string; idempotency_key: string | null };
  type: string;
};

/** Creates an id in Stripe's form: `pi_3Rq…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(24).toString('base64url').replace(/[-_]/g, 'x').slice(0, 24)}`;
}

/** Returns the current time in whole seconds, as Stripe does. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** Creates a payment that moves no money yet. */
export function newPaymentIntent(
  request: Pick<
    PaymentIntent,
    | 'amount'
    | 'currency'
    | 'customer'
    | 'description'
    | 'metadata'
    | 'payment_method'
    | 'payment_method_types'
    | 'statement_descriptor_suffix'
  >,
): PaymentIntent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${newId('x')}`,
    confirmation_method: 'automatic',
    created: nowSeconds(),
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    next_action: null,
    processing: null,
    setup_future_usage: null,
    status: request.payment_method === null ? 'requires_payment_method' : 'requires_confirmation',
    ...request,
  };
}

const CATEGORIES = {
  charge: 'charge',
  refund: 'refund',
  payout: 'payout',
  payout_failure: 'payout_reversal',
} as const satisfies Partial<Record<BalanceTransaction['type'], BalanceTransaction['reporting_category']>>;

/** Stripe's fee for a charge. */
export function feeOf(amount: number): number {
  return Math.round(amount * 0.029) + 30;
}

type Movement = {
  type: keyof typeof CATEGORIES;
  source: string;
  amount: number;
  currency: string;
  fee?: number;
};

/** Creates a movement of the balance. */
export function newTransaction({ type, source, amount, currency, fee = 0 }: Movement): BalanceTransaction {
  return {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: nowSeconds(),
    created: nowSeconds(),
    currency,
    description: type,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0 ? [] : [{ amount: fee, application: null, currency, description: 'Fee', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: CATEGORIES[type],
    source,
    status: 'available',
    type,
  };
}

/** An error in the form that Stripe sends. */
export class StripeError extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> & { type: string } };
  /**
   * Whether the error is stored with the idempotency key. Stripe does not store the errors of requests that it refuses before it starts to
   * work.
   */
  readonly isKept: boolean;

  constructor(status: number, error: Record<string, unknown> & { type: string }, { isKept = true } = {}) {
    super(`${status} ${error.type}`);
    this.status = status;
    this.body = {
      error: { message: 'As Stripe would say it.', doc_url: 'https://docs.stripe.com/error-codes', ...error },
    };
    this.isKept = isKept;
  }
}

/** Creates the error for an invalid parameter. */
export function invalid(param: string, code = 'parameter_invalid', status = 400): StripeError {
  return new StripeError(status, { type: 'invalid_request_error', code, param }, { isKept: false });
}

/** Creates the error for an unknown id: 404 in the path, 400 in a parameter. */
export function missing(param: string, isInPath = false): StripeError {
  return invalid(param, 'resource_missing', isInPath ? 404 : 400);
}

/** Reads the metadata and checks Stripe's limits (https://docs.stripe.com/api/metadata). */
export function metadataOf(form: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(form).flatMap(([name, value]) => {
    const key = /^metadata\[(\w{1,40})\]$/.exec(name)?.[1];
    if (key === undefined) return [];
    if (value.length > 500) throw invalid(name);
    return [[key, value] as const];
  });
  if (entries.length > 50) throw invalid('metadata');
  return Object.fromEntries(entries);
}
