import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { listEvents } from './events.list.ts';
import { eventList, eventQuery } from './events.schema.ts';

/** The operator's list of events. */
export function registerEventRoutes(app: FastifyInstance, { eventTypes }: { eventTypes: readonly string[] }): void {
  route(app, {
    method: 'GET',
    url: '/operator/events',
    operationId: 'listEvents',
    tag: 'Webhooks',
    summary: 'List events',
    description: 'Of all companies, newest first. Kept for 90 days.',
    access: 'operator',
    query: eventQuery(eventTypes),
    response: { 200: eventList(eventTypes) },
    errors: [],
    handler: ({ query }, db) => listEvents(db, query),
  });
}
