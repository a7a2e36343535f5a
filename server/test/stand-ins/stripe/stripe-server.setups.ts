/** Setups of the stand-in for Stripe (https://docs.stripe.com/api/setup_intents). */
import {
  decide,
  decline,
  declineCodeOf,
  emit,
  type Form,
  type StripeBooks,
  unexpectedState,
  wholeOf,
} from './stripe-server.books.ts';
import { createPaymentMethod, findPaymentMethod } from './stripe-server.cards.ts';
import { createDebit, findMandate, listSetupsOf } from './stripe-server.debits.ts';
import {
  invalid,
  metadataOf,
  missing,
  newId,
  nowSeconds,
  type PaymentError,
  type PaymentIntent,
  type SetupIntent,
} from './stripe-server.objects.ts';
import type { StripeRoutes } from './stripe-server.routes.ts';

/** The routes of setups and mandates. */
export const SETUP_ROUTES: StripeRoutes = [
  ['POST /v1/setup_intents', 'tokenize', (books, { form }) => createSetupIntent(books, form)],
  ['GET /v1/setup_intents', 'other', (books, { form }) => listSetupsOf(books, form)],
  ['GET /v1/setup_intents/(\\w+)', 'other', (books, { id, form }) => findSetupIntent(books, id, form)],
  ['GET /v1/mandates/(\\w+)', 'other', (books, { id }) => findMandate(books, id)],
];

/** What happens at Stripe without a request of the account, for tests whose stand-in is another process. */
export const OUTSIDE_ROUTES: StripeRoutes = [
  [
    'POST /test/answers',
    'other',
    (books, { form }) => answerInBrowser(books, form.client_secret ?? '', form.outcome === 'fail' ? 'fail' : 'succeed'),
  ],
  ['POST /test/debits', 'other', (books, { form }) => createDebit(books, form.iban ?? '')],
  [
    'GET /test/events/(\\w+)',
    'other',
    ({ events }, { id }) => events.filter(({ data }) => 'id' in data.object && data.object.id === id),
  ],
];

/** Creates a setup that waits for a card. */
function createSetupIntent(books: StripeBooks, form: Form): SetupIntent {
  if (form.customer !== undefined && !books.customers.has(form.customer)) throw missing('customer');
  if (form.usage !== 'off_session') throw invalid('usage');
  const id = newId('seti');
  const intent: SetupIntent = {
    id,
    object: 'setup_intent',
    client_secret: `${id}_secret_${newId('x')}`,
    created: nowSeconds(),
    customer: form.customer ?? null,
    livemode: false,
    mandate: null,
    metadata: metadataOf(form),
    payment_method: null,
    payment_method_types: [form['payment_method_types[0]'] ?? 'card'],
    status: 'requires_payment_method',
    usage: form.usage,
  };
  books.setups.set(id, intent);
  return structuredClone(intent);
}

/** Returns a setup, with its card where the request asks for it. */
function findSetupIntent(books: StripeBooks, id: string, form: Form): object {
  const intent = books.setups.get(id);
  if (intent === undefined) throw missing('setup_intent', true);
  const { payment_method: methodId } = intent;
  const isExpanded = form['expand[0]'] === 'payment_method' && methodId !== null;
  return { ...structuredClone(intent), ...(isExpanded ? { payment_method: findPaymentMethod(books, methodId) } : {}) };
}

/** Does what Stripe's script does in the browser: types a card into a setup, and confirms it. */
export function confirmSetupInBrowser(books: StripeBooks, id: string, number: string): void {
  const intent = books.setups.get(id);
  if (intent === undefined) throw missing('setup_intent', true);
  const method = createPaymentMethod(books, {
    type: 'card',
    'card[number]': number,
    'card[cvc]': '123',
    'card[exp_month]': '11',
    'card[exp_year]': String(new Date().getUTCFullYear() + 2),
    'billing_details[name]': 'Ada Lovelace',
    'billing_details[address][country]': 'GB',
  });
  const kept = books.methods.get(method.id);
  if (kept !== undefined) Object.assign(kept, { customer: intent.customer, isSetUp: true });
  Object.assign(intent, { payment_method: method.id, status: 'succeeded' });
}

/** The holder of the card answers the bank, with Stripe's script or at the address that the payment shows. */
export function answerInBrowser(books: StripeBooks, clientSecret: string, outcome: 'succeed' | 'fail'): PaymentIntent {
  const intent = [...books.intents.values()].find((one) => one.client_secret === clientSecret);
  if (intent === undefined) throw missing('intent', true);
  if (intent.status !== 'requires_action' && intent.last_payment_error?.code !== 'authentication_required')
    throw unexpectedState(intent);
  if (intent.status === 'canceled') throw unexpectedState(intent);
  const methodId = books.asked.get(intent.id)?.sourceToken.split('/')[1] ?? '';
  Object.assign(intent, { next_action: null, payment_method: methodId });
  if (outcome === 'succeed') {
    const declineCode = declineCodeOf(books.methods.get(methodId));
    if (declineCode === undefined) decide(books, intent, wholeOf(intent), null);
    else decline(books, intent, declineCode, null);
    return structuredClone(intent);
  }
  const error: PaymentError = {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message: 'The provided PaymentMethod has failed authentication.',
  };
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null, last_payment_error: error });
  emit(books, 'payment_intent.payment_failed', intent, null);
  return structuredClone(intent);
}
