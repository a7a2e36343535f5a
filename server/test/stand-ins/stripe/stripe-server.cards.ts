/** Customers and cards of the stand-in for Stripe. */
import { createHash } from 'node:crypto';
import { brandOfCardNumber, isCardNumber } from '../../../src/gateways/sandbox/bank/cards.ts';
import type { Form, KnownMethod, StripeBooks } from './stripe-server.books.ts';
import {
  type Customer,
  invalid,
  metadataOf,
  missing,
  newId,
  nowSeconds,
  type PaymentMethod,
  StripeError,
} from './stripe-server.objects.ts';

/** Cards that are declined when they are attached to a customer, as Stripe's test cards are. */
const DECLINED_WHEN_ATTACHED: Readonly<Record<string, string>> = {
  '4000000000000002': 'generic_decline',
  '4000000000009995': 'insufficient_funds',
  '4000000000009987': 'lost_card',
};
/** Cards that can be attached, but are declined when they are charged. */
const DECLINED_WHEN_CHARGED: Readonly<Record<string, string>> = {
  '4000000000000341': 'generic_decline',
};
/** Cards whose banks ask the holder (https://docs.stripe.com/testing#regulatory-cards). */
const ASKING: Readonly<Record<string, NonNullable<KnownMethod['asks']>>> = {
  '4000002500003155': 'unless_set_up',
  '4000002760003184': 'always',
  '4000008260003178': 'on_session',
};
/** Creates a card from its number. */
export function createPaymentMethod(books: StripeBooks, form: Form): PaymentMethod {
  const { 'card[number]': number = '', 'card[cvc]': cvc = '' } = form;
  if (form.type !== 'card') throw invalid('type');
  // Stripe sends neither a code nor a parameter.
  if (!books.takesCardNumbers) throw new StripeError(402, { type: 'invalid_request_error' }, { isKept: false });
  const wrong = (code: string, param: string) => new StripeError(402, { type: 'card_error', code, param });
  if (!isCardNumber(number)) throw wrong('incorrect_number', 'number');
  if (!/^\d{3,4}$/.test(cvc)) throw wrong('invalid_cvc', 'cvc');
  const { 'card[exp_month]': month = '', 'card[exp_year]': year = '' } = form;
  if (Number(year) * 12 + Number(month) < new Date().getUTCFullYear() * 12)
    throw wrong('invalid_expiry_year', 'exp_year');
  const country = form['billing_details[address][country]'] ?? null;
  if (country !== null && !/^[A-Z]{2}$/.test(country)) throw invalid('billing_details[address][country]');
  const card = {
    brand: brandOfCardNumber(number),
    exp_month: Number(month),
    exp_year: Number(year),
    last4: number.slice(-4),
    fingerprint: createHash('sha256').update(number).digest('hex').slice(0, 16),
  };
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    billing_details: { address: { country }, name: form['billing_details[name]'] ?? null },
    card,
    created: nowSeconds(),
    customer: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  const attached = DECLINED_WHEN_ATTACHED[number];
  const charged = DECLINED_WHEN_CHARGED[number];
  const declines = { ...(attached ? { attached } : {}), ...(charged ? { charged } : {}) };
  const asks = ASKING[number];
  books.methods.set(method.id, { ...method, declines, ...(asks ? { asks } : {}) });
  return method;
}

/** Attaches a card to a customer, so that it can be charged repeatedly. The bank may decline. */
export function attachPaymentMethod(books: StripeBooks, id: string, form: Form): PaymentMethod {
  const method = books.methods.get(id);
  if (method === undefined) throw missing('payment_method', true);
  const customer = books.customers.get(form.customer ?? '');
  if (customer === undefined) throw missing('customer');
  const { declines, isDetached: _isDetached, asks: _asks, isSetUp: _isSetUp, ...shown } = method;
  if (declines.attached !== undefined) {
    throw new StripeError(402, { type: 'card_error', code: 'card_declined', decline_code: declines.attached });
  }
  if (method.isDetached || (method.customer !== null && method.customer !== customer.id))
    throw invalid('payment_method', 'payment_method_unexpected_state');
  method.customer = customer.id;
  return { ...shown, customer: customer.id };
}

/** Detaches a card. It can neither be charged nor attached again. */
export function detachPaymentMethod(books: StripeBooks, id: string): PaymentMethod {
  const method = books.methods.get(id);
  if (method === undefined) throw missing('payment_method', true);
  if (method.customer === null) throw new StripeError(400, { type: 'invalid_request_error' }, { isKept: false });
  method.customer = null;
  method.isDetached = true;
  return findPaymentMethod(books, id);
}

/** Returns the card. */
export function findPaymentMethod(books: StripeBooks, id: string): PaymentMethod {
  const method = books.methods.get(id);
  if (method === undefined) throw missing('payment_method', true);
  const { declines: _declines, isDetached: _isDetached, asks: _asks, isSetUp: _isSetUp, ...shown } = method;
  return structuredClone(shown);
}

/** Throws unless the list is requested for an existing customer. */
export function requireCustomerOf(books: StripeBooks, form: Form): void {
  if (form.customer !== undefined && !books.customers.has(form.customer)) throw missing('customer');
}

/** Returns the objects with this metadata, the newest first (https://docs.stripe.com/search). */
export function searchMetadata<Found extends { metadata: Readonly<Record<string, string>> }>(
  { searches }: StripeBooks,
  url: string,
  objects: Iterable<Found>,
  form: Form,
): object {
  if (!searches) throw new StripeError(400, { type: 'invalid_request_error' }, { isKept: false });
  const [, name = '', text = ''] = /^metadata\['(\w+)'\]:'((?:[^'\\]|\\.)*)'$/s.exec(form.query ?? '') ?? [];
  if (name === '') throw invalid('query');
  const value = text.replace(/\\(.)/gs, '$1');
  const data = [...objects].filter(({ metadata }) => metadata[name] === value).toReversed();
  return { object: 'search_result', url, data: structuredClone(data), has_more: false, next_page: null };
}

/** Creates a customer without cards. */
export function createCustomer(books: StripeBooks, form: Form): Customer {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    created: nowSeconds(),
    email: null,
    livemode: false,
    metadata: metadataOf(form),
    name: null,
  };
  books.customers.set(customer.id, customer);
  return customer;
}

/** Changes the name, the e-mail and the metadata of a customer (https://docs.stripe.com/api/customers/update). */
export function updateCustomer(books: StripeBooks, id: string, form: Form): Customer {
  const customer = books.customers.get(id);
  if (customer === undefined) throw missing('customer', true);
  if ((form.name ?? '').length > 256) throw invalid('name');
  if (form.email !== undefined && !/^[^@ ]+@[^@ ]+$/.test(form.email)) throw invalid('email', 'email_invalid');
  if (form.name !== undefined) customer.name = form.name || null;
  if (form.email !== undefined) customer.email = form.email;
  customer.metadata = { ...customer.metadata, ...metadataOf(form) };
  return structuredClone(customer);
}
