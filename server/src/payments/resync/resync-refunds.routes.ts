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
    summary: 'Import the refunds of a payment from its gateway',
    description:
      "Reads the refunds of a payment from the gateway, as the gateway's webhook does: for refunds that somebody made there and " +
      'that the gateway never reported. Each unknown refund is recorded once, with its credit note and its postings, however ' +
      'often the request is sent. The response has all refunds of the payment, the newest first. 404 if no payment of Paydesk ' +
      'has that id at the gateway. 503 if the gateway gives no answer, or if a refund made here has no outcome yet and the ' +
      'payment cannot cover both.',
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
