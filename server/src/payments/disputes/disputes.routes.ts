import type { FastifyInstance } from 'fastify';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import { route } from '../../platform/http/route/route.ts';
import { fileContent } from '../../platform/http/schema/fields.ts';
import { DisputeFileQuery, DisputeList, DisputeQuery } from './disputes.schema.ts';
import { listDisputes, writeDisputes } from './disputes.service.ts';

/** Registers the routes that list disputes. */
export function registerDisputeRoutes(app: FastifyInstance, externalIds: ExternalIds): void {
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
  route(app, {
    method: 'GET',
    url: '/operator/disputes.csv',
    operationId: 'getDisputesCsv',
    tag: 'Operator',
    summary: 'Read the disputes of all companies as a file',
    description: 'CSV (RFC 4180) of all disputes that match, the newest first.',
    access: 'operator',
    query: DisputeFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query, reply }, db) => {
      const file = writeDisputes(db, query, externalIds);
      reply.header('content-disposition', 'attachment; filename="disputes.csv"');
      return file;
    },
  });
}
