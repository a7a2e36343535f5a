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
      "As the gateway's webhook has it read: for one that it never told of, or that stands otherwise here. What the gateway answers is " +
      'written down, and each movement of money counts once, however often this is called. The answer has the dispute of ' +
      'each payment that it is about. 404 when the gateway knows no such dispute, or it is about no payment of ours.',
    access: 'operator',
    body: ResyncDisputeBody,
    response: { 200: ResyncedDisputes },
    errors: ['not_found', 'dispute_not_recorded', 'charges_held', 'service_unavailable'],
    idempotency: 'run',
    audit: { recordedBy: 'service' },
    handler: ({ body, request }) => resyncDispute(dependencies, body, actorOf(request)),
  });
}
