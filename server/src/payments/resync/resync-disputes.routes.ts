import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import { ResyncDisputeBody, ResyncedDisputes } from './resync-disputes.schema.ts';
import { resyncDispute } from './resync-disputes.ts';

/** Registers the route for a dispute whose gateway events never arrived. */
export function registerDisputeResyncRoutes(app: FastifyInstance, dependencies: PaymentDependencies): void {
  route(app, {
    method: 'POST',
    url: '/operator/disputes',
    operationId: 'resyncDispute',
    tag: 'Operator',
    summary: 'Read a dispute from its gateway',
    description:
      "Reads a dispute from the gateway, as the gateway's webhook does: for a dispute that the gateway never reported, or whose " +
      'status differs here. The answer of the gateway is recorded, and each movement of money counts once, however often the ' +
      'request is sent. The response has the dispute once for each of its payments. 404 if the gateway does not know the ' +
      'dispute, or if it is about no payment of Paydesk.',
    access: 'operator',
    body: ResyncDisputeBody,
    response: { 200: ResyncedDisputes },
    errors: ['not_found', 'dispute_not_recorded', 'charges_held', 'service_unavailable'],
    idempotency: 'run',
    audit: { recordedBy: 'service' },
    handler: ({ body, request }) => resyncDispute(dependencies, body, actorOf(request)),
  });
}
