import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../../platform/http/route/actor.ts';
import { readIdempotencyKey } from '../../../platform/http/route/idempotency.ts';
import { route } from '../../../platform/http/route/route.ts';
import { Refund, RefundBody, RefundList, RefundQuery } from './refunds.schema.ts';
import { listRefunds, type RefundDependencies, refundPayment } from './refunds.service.ts';

/** Registers the routes by which the operator refunds a payment. */
export function registerRefundRoutes(app: FastifyInstance, dependencies: RefundDependencies): void {
  route(app, {
    method: 'POST',
    url: '/operator/payments/:payment_id/refunds',
    operationId: 'createRefund',
    tag: 'Operator',
    summary: 'Refund a payment',
    description:
      'Refunds `amount`, or all that is left: to the card first, then as credit for what was paid with credit. If no earlier ' +
      'credit note after the payment covers the refund, a credit note for the amount is issued, with its share of the tax. Send ' +
      'an `Idempotency-Key`: the same key always returns the same refund, forever; without a key, each request is another ' +
      "refund. 202 means that the gateway's answer was lost. Paydesk finds out the outcome later and never guesses it.",
    access: 'operator',
    resource: 'payment',
    body: RefundBody,
    exactNumbers: ['amount'],
    response: { 201: Refund, 202: Refund },
    examples: { 202: { status: 'Processing' } },
    errors: [
      'payment_not_captured',
      'invoice_unpaid',
      'refund_exceeds_payment',
      'payment_disputed',
      'refund_refused',
      'refund_under_review',
      'credit_currency_differs',
    ],
    idempotency: 'run',
    heldWithCharges: true,
    audit: { recordedBy: 'service' },
    handler: async ({ request, ids, body, reply }) => {
      const idempotencyKey = readIdempotencyKey(request) ?? null;
      const { status, refund } = await refundPayment(dependencies, ids.payment_id, {
        ...body,
        idempotencyKey,
        actor: actorOf(request),
      });
      if (status === 202) reply.code(202).header('retry-after', 5);
      return refund;
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/payments/:payment_id/refunds',
    operationId: 'listPaymentRefunds',
    tag: 'Operator',
    summary: 'List the refunds of a payment',
    description: 'The newest refund comes first.',
    access: 'operator',
    resource: 'payment',
    query: RefundQuery,
    response: { 200: RefundList },
    errors: [],
    handler: ({ ids, query }, db) => listRefunds(db, ids.payment_id, query),
  });
}
