/** SEPA direct debits of the stand-in for Stripe (https://docs.stripe.com/payments/sepa-debit). */
import { createHash } from 'node:crypto';
import {
  decide,
  decline,
  type Form,
  requireIntent,
  type StripeBooks,
  unexpectedState,
  wholeOf,
} from './stripe-server.books.ts';
import { missing, newId, nowSeconds, type PaymentMethod, type SetupIntent } from './stripe-server.objects.ts';

/** Makes an account that debits are collected from, of nobody yet. */
export function createDebit(books: StripeBooks, iban: string): PaymentMethod {
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    billing_details: { address: { country: null }, name: 'Ada Lovelace' },
    created: nowSeconds(),
    customer: null,
    livemode: false,
    metadata: {},
    sepa_debit: {
      country: iban.slice(0, 2),
      fingerprint: createHash('sha256').update(iban).digest('hex').slice(0, 16),
      last4: iban.slice(-4),
    },
    type: 'sepa_debit',
  };
  books.methods.set(method.id, { ...method, declines: {} });
  return method;
}

/** Ends a debit that is processing: it settles, or comes back with this code. */
export function endDebit(books: StripeBooks, id: string, declineCode: string | null = null): void {
  const intent = requireIntent(books, id);
  if (intent.status !== 'processing') throw unexpectedState(intent);
  if (declineCode !== null) decline(books, intent, declineCode, null);
  else decide(books, intent, wholeOf(intent), null);
}

/** Does what Stripe's script does in the browser: types an IBAN into a setup, and accepts the mandate. */
export function confirmDebitInBrowser(books: StripeBooks, id: string, iban: string): void {
  const intent = books.setups.get(id);
  if (intent === undefined) throw missing('setup_intent', true);
  const method = createDebit(books, iban);
  const kept = books.methods.get(method.id);
  if (kept !== undefined) kept.customer = intent.customer;
  Object.assign(intent, { payment_method: method.id, mandate: newId('mandate'), status: 'succeeded' });
}

/** Returns the mandate of a setup. */
export function findMandate(books: StripeBooks, id: string): object {
  const intent = [...books.setups.values()].find(({ mandate }) => mandate === id);
  if (intent === undefined) throw missing('mandate', true);
  return mandateOf(intent);
}

/** Lists the setups of a payment method, the newest first, with their mandates. */
export function listSetupsOf(books: StripeBooks, form: Form): object {
  const data = [...books.setups.values()]
    .filter((intent) => intent.payment_method === form.payment_method)
    .map((intent) => ({ ...structuredClone(intent), mandate: intent.mandate === null ? null : mandateOf(intent) }));
  return { object: 'list', url: '/v1/setup_intents', data: data.toReversed(), has_more: false };
}

function mandateOf({ mandate: id, created, payment_method }: SetupIntent) {
  const reference = (id ?? '').slice(-12).toUpperCase();
  return {
    id,
    object: 'mandate',
    customer_acceptance: { accepted_at: created, type: 'online' },
    livemode: false,
    payment_method,
    payment_method_details: { type: 'sepa_debit', sepa_debit: { reference, url: 'https://example.com' } },
    status: 'active',
    type: 'multi_use',
  };
}
