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
