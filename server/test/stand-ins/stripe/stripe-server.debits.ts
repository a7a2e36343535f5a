/** SEPA direct debits of the stand-in for Stripe (https://docs.stripe.com/payments/sepa-debit). */
import { createHash } from 'node:crypto';
import {
  decide,
  decline,
  declineCodeOf,
  type Form,
  requireIntent,
  type StripeBooks,
  unexpectedState,
  wholeOf,
} from './stripe-server.books.ts';
import { missing, newId, nowSeconds, type PaymentMethod, type SetupIntent } from './stripe-server.objects.ts';

/** Accounts from which debits come back (https://docs.stripe.com/payments/sepa-debit/accept-a-payment#test-integration). */
const COME_BACK: ReadonlySet<string> = new Set(['DE62370400440532013001', 'DE78370400440532013004']);

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
  books.methods.set(method.id, { ...method, declines: COME_BACK.has(iban) ? { charged: 'insufficient_funds' } : {} });
  return method;
}

/** Ends a debit that is processing: it settles, or comes back with this code, by default as its account does. */
export function endDebit(books: StripeBooks, id: string, declineCode?: string): void {
  const intent = requireIntent(books, id);
  if (intent.status !== 'processing') throw unexpectedState(intent);
  const reason = declineCode ?? declineCodeOf(books.methods.get(intent.payment_method ?? ''));
  if (reason !== undefined) decline(books, intent, reason, null);
  else decide(books, intent, wholeOf(intent), null);
}

/** Ends all debits that are processing. @returns their ids */
export function endDebits(books: StripeBooks): string[] {
  const processing = [...books.intents.values()].filter(({ status }) => status === 'processing');
  return processing.map(({ id }) => {
    endDebit(books, id);
    return id;
  });
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
