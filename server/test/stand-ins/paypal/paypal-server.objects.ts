/** The objects of the stand-in for PayPal, in the shapes that PayPal documents (https://developer.paypal.com/docs/api/orders/v2/). */
import { randomBytes } from 'node:crypto';
import type { Answer } from '../gateway-faults.ts';

export type Money = { currency_code: string; value: string };
export type Link = { href: string; rel: string; method: 'GET' | 'POST' | 'PATCH' };
export type Capture = {
  id: string;
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED';
  status_details?: { reason: string };
  amount: Money;
  final_capture: true;
  custom_id?: string;
  invoice_id?: string;
  supplementary_data: { related_ids: { order_id: string } };
  links: Link[];
  create_time: string;
  update_time: string;
};
export type Refund = {
  id: string;
  status: 'COMPLETED';
  amount: Money;
  custom_id?: string;
  invoice_id?: string;
  note_to_payer?: string;
  seller_payable_breakdown: { gross_amount: Money; total_refunded_amount: Money };
  links: Link[];
  create_time: string;
  update_time: string;
};
export type Order = {
  id: string;
  intent: 'CAPTURE' | 'AUTHORIZE';
  status: 'CREATED' | 'COMPLETED' | 'VOIDED';
  payment_source?: { paypal: { email_address: string; account_id: string; account_status: 'VERIFIED' } };
  purchase_units: [
    {
      reference_id: 'default';
      amount: Money;
      payee: { email_address: string; merchant_id: string };
      description?: string;
      custom_id?: string;
      invoice_id?: string;
      payments?: { captures: Capture[]; refunds?: Refund[] };
    },
  ];
  create_time: string;
  update_time: string;
  links: Link[];
};
/** A movement of a disputed amount. */
export type DisputeMovement = {
  party: 'SELLER' | 'BUYER';
  amount: Money;
  initiated_time: string;
  type: 'DEBIT' | 'CREDIT';
  reason?: 'DISPUTE_SETTLEMENT' | 'DISPUTE_FEE';
};
/** A dispute: the fields that PayPal shows, and the stand-in's own. */
export type Dispute = {
  /** One for each of the disputed transactions. */
  orderIds: [string, ...string[]];
  movements: DisputeMovement[];
  /** As PayPal shows it, without the movements. */
  shown: {
    dispute_id: string;
    create_time: string;
    update_time: string;
    disputed_transactions: { seller_transaction_id: string; gross_amount: Money; seller: { merchant_id: string } }[];
    reason: string;
    status:
      | 'OPEN'
      | 'WAITING_FOR_BUYER_RESPONSE'
      | 'WAITING_FOR_SELLER_RESPONSE'
      | 'UNDER_REVIEW'
      | 'RESOLVED'
      | 'OTHER';
    dispute_amount: Money;
    dispute_outcome?: { outcome_code: string };
    dispute_life_cycle_stage: 'INQUIRY' | 'CHARGEBACK';
    dispute_channel: 'INTERNAL';
  };
};
export type PayPalEvent = {
  id: string;
  event_version: '1.0';
  create_time: string;
  resource_type: string;
  resource_version: '2.0';
  event_type: string;
  summary: string;
  resource: object;
  links: Link[];
};
export type Transaction = {
  transaction_id: string;
  paypal_reference_id?: string;
  paypal_reference_id_type?: 'ODR' | 'TXN';
  transaction_event_code: string;
  transaction_initiation_date: string;
  transaction_updated_date: string;
  transaction_amount: Money;
  transaction_status: 'S' | 'P';
  custom_field?: string;
  invoice_id?: string;
};

const HREF = 'https://api-m.paypal.com';

/** Creates an id of seventeen capital letters and digits, as PayPal does. */
export function newId(): string {
  return Array.from(randomBytes(17), (byte) => '0123456789ABCDEFGHJKLMNPRSTUVWXY'[byte % 32]).join('');
}

/** Returns the current time in whole seconds, as PayPal writes it. */
export function nowText(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Builds the link from one object to another. */
export function link(rel: string, path: string, method: Link['method'] = 'GET'): Link {
  return { href: `${HREF}${path}`, rel, method };
}

/** Builds the links of an open order. */
export function linksOfOrder(id: string): Link[] {
  const path = `/v2/checkout/orders/${id}`;
  const approve: Link = { href: `https://www.paypal.com/checkoutnow?token=${id}`, rel: 'approve', method: 'GET' };
  return [link('self', path), approve, link('update', path, 'PATCH'), link('capture', `${path}/capture`, 'POST')];
}

/** An error in the form that PayPal sends (https://developer.paypal.com/api/rest/responses/). */
export class PayPalError extends Error {
  readonly answer: Answer;
  /**
   * Whether the error is stored with the request id. PayPal does not store the errors of requests that it refuses
   * before it starts to work.
   */
  readonly isKept: boolean;

  constructor(status: number, name: string, issues: readonly string[] = [], { isKept = false } = {}) {
    super(`${status} ${name} ${issues.join()}`);
    const details = issues.map((issue) => ({ issue, description: 'As PayPal would say it.' }));
    const links = [
      { href: `https://developer.paypal.com/docs/api/orders/v2/#error-${issues[0] ?? name}`, rel: 'information_link' },
    ];
    const body = { name, message: 'As PayPal would say it.', debug_id: randomBytes(7).toString('hex'), details, links };
    this.answer = { status, body };
    this.isKept = isKept;
  }
}

/** Creates the error for a request that breaks the published schema. */
export function malformed(issue: string): PayPalError {
  return new PayPalError(400, 'INVALID_REQUEST', [issue]);
}

/** Creates the error for a request that breaks a business rule. */
export function unprocessable(issue: string): PayPalError {
  return new PayPalError(422, 'UNPROCESSABLE_ENTITY', [issue], { isKept: true });
}

/** Creates the error for an unknown id. */
export function missing(issue = 'INVALID_RESOURCE_ID'): PayPalError {
  return new PayPalError(404, 'RESOURCE_NOT_FOUND', [issue]);
}
