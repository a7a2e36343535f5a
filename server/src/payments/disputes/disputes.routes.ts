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
      "Of all companies, the newest first. Both filters combine with AND. A dispute is shown as the gateway's webhook told of it and the " +
      'gateway itself then said; it is answered at the gateway.',
    access: 'operator',
    query: DisputeQuery,
    response: { 200: DisputeList },
    errors: [],
    handler: ({ query }, db) => listDisputes(db, query),
  });
}
