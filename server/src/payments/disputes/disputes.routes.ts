import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { DisputeList, DisputeQuery } from './disputes.schema.ts';
import { listDisputes } from './disputes.service.ts';

/** Registers the route that lists disputes. */
export function registerDisputeRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/operator/disputes',
    operationId: 'listDisputes',
    tag: 'Operator',
    summary: 'List disputes',
    description:
      'Lists the disputes of all companies, newest first. Filters combine with AND. Paydesk reads a dispute from ' +
      'the gateway when the gateway reports it. Answer a dispute at the gateway.',
    access: 'operator',
    query: DisputeQuery,
    response: { 200: DisputeList },
    errors: [],
    handler: ({ query }, db) => listDisputes(db, query),
  });
}
