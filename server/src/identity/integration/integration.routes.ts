import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { Integration, IntegrationBody } from './integration.schema.ts';
import { type AllowedOrigins, changeIntegration, readIntegration } from './integration.service.ts';

const tag = 'Operator';

/** What the operator's product may do from its pages. */
export function registerIntegrationRoutes(app: FastifyInstance, { forget }: AllowedOrigins): void {
  route(app, {
    method: 'GET',
    url: '/operator/integration',
    operationId: 'getIntegration',
    tag,
    summary: 'Read the settings of the integration',
    access: 'operator',
    response: { 200: Integration },
    errors: [],
    handler: (_context, db) => readIntegration(db),
  });
  route(app, {
    method: 'PUT',
    url: '/operator/integration',
    operationId: 'updateIntegration',
    tag,
    summary: 'Set the origins of your pages',
    description:
      'Pages of these origins may send the tokens of customer sessions (CORS), and the dashboard of a customer session may lead back ' +
      'to them. A change holds at once in the process that answers, and within a second in others.',
    access: 'operator',
    body: IntegrationBody,
    response: { 200: Integration },
    errors: [],
    audit: { recordedBy: 'service' },
    transaction: ({ request, body }, tx) => changeIntegration(tx, body, { actor: actorOf(request), forget }),
  });
}
