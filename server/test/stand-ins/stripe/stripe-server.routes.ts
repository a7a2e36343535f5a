import type { GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import type { BendDecision, Form, StripeBooks } from './stripe-server.books.ts';

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
