import type { GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import type { BendDecision, Form, StripeBooks } from './stripe-server.books.ts';
import { invalid } from './stripe-server.objects.ts';

/** What the stand-in for Stripe answers at a path. */
export type Route = {
  operation: GatewayOperation | 'other';
  perform(books: StripeBooks, request: { id: string; form: Form; key: string | null }, bend: BendDecision): object;
};

export type StripeRoutes = readonly (readonly [
  methodAndPath: string,
  operation: Route['operation'],
  perform: Route['perform'],
])[];

/** Lists the newest first, as all of Stripe's lists do. */
export function listOf<
  Listed extends { id: string; created: number; payment_intent?: string; customer?: string | null },
>(
  url: string,
  objects: readonly Listed[],
  form: Form,
): { object: 'list'; url: string; data: Listed[]; has_more: boolean } {
  const from = Number(form['created[gte]'] ?? 0);
  const to = Number(form['created[lt]'] ?? Number.MAX_SAFE_INTEGER);
  const all = objects
    .filter(({ created }) => created >= from && created < to)
    .filter((object) => form.payment_intent === undefined || object.payment_intent === form.payment_intent)
    .filter((object) => form.customer === undefined || object.customer === form.customer)
    .toReversed();
  const start = form.starting_after === undefined ? 0 : all.findIndex(({ id }) => id === form.starting_after) + 1;
  const limit = Number(form.limit ?? 10);
  return {
    object: 'list',
    url,
    data: structuredClone(all.slice(start, start + limit)),
    has_more: all.length > start + limit,
  };
}

const PAGE = 'limit starting_after created expand';
/** The parameters that the stand-in knows, without what follows in brackets; `npm run stripe-mock` shows that Stripe has them. */
const PARAMETERS: Readonly<Record<string, string>> = {
  'POST /v1/payment_methods': 'type card billing_details',
  'POST /v1/payment_methods/{id}/attach': 'customer',
  'GET /v1/customers/search': 'query limit',
  'GET /v1/payment_intents/search': 'query limit',
  'POST /v1/customers': 'metadata',
  'POST /v1/customers/{id}': 'name email metadata',
  'POST /v1/setup_intents': 'customer usage payment_method_types metadata',
  'GET /v1/setup_intents': 'payment_method limit expand',
  'GET /v1/setup_intents/{id}': 'expand',
  'POST /v1/payment_intents':
    'amount currency customer payment_method payment_method_types confirm description statement_descriptor_suffix metadata',
  'POST /v1/payment_intents/{id}/confirm': 'off_session payment_method return_url',
  'GET /v1/payment_intents': `customer ${PAGE}`,
  'POST /v1/refunds': 'payment_intent amount metadata',
  'GET /v1/refunds': `payment_intent ${PAGE}`,
  'GET /v1/disputes': PAGE,
  'GET /v1/payouts': PAGE,
  'GET /v1/balance_transactions': `payout ${PAGE}`,
  'GET /v1/balance_transactions/{id}': 'expand',
  // These are not Stripe's.
  'POST /test/answers': 'client_secret outcome',
  'POST /test/debits': 'iban',
};

/** Throws, as Stripe does, for a parameter that the request does not have, and for a page of more than a hundred entries. */
export function refuseWrongParameters(methodAndPath: string, form: Form): void {
  const route = methodAndPath.replace(/( \/v1\/\w+)\/(?!search$)[\w-]+/, '$1/{id}');
  const known = (PARAMETERS[route] ?? '').split(' ');
  for (const name of Object.keys(form)) {
    if (!known.includes(name.replace(/\[.*/, ''))) throw invalid(name, 'parameter_unknown');
  }
  if (form.limit !== undefined && !/^([1-9]\d?|100)$/.test(form.limit))
    throw invalid('limit', 'parameter_invalid_integer');
}
