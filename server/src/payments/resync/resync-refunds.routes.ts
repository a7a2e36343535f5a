import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import { ResyncedRefunds, ResyncRefundsBody } from './resync-refunds.schema.ts';
import { resyncRefunds } from './resync-refunds.ts';

/** Registers the route for refunds made at the gateway whose gateway events never arrived. */
export function registerRefundResyncRoutes(app: FastifyInstance, dependencies: PaymentDependencies): void {
  route(app, {
    method: 'POST',
    url: '/operator/refunds',
    operationId: 'resyncRefunds',
    tag: 'Operator',
    summary: "Read a payment's refunds from its gateway",
    description:
      "As the gateway's webhook has them read: for refunds that somebody made there and that it never told of. Each one that is not " +
      'known here is recorded, with its credit note and its postings, once, however often this is called. The answer has all refunds ' +
      'of the payment, the newest first. 404 when no payment of ours has that id there. 503 while the gateway gives no answer, or ' +
      'while a refund that was made here has no outcome yet and there is not room for both.',
    access: 'operator',
    body: ResyncRefundsBody,
    response: { 200: ResyncedRefunds },
    examples: { 200: { data: [{ source: 'gateway', reason: 'Given back at the gateway' }] } },
    errors: ['not_found', 'refund_not_recorded', 'service_unavailable'],
    idempotency: 'run',
    heldWithCharges: 'unless_configured',
    audit: { recordedBy: 'service' },
    handler: ({ body, request }) => resyncRefunds(dependencies, body, actorOf(request)),
  });
}
