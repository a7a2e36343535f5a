import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import type { NameParts } from '../../platform/database/name-parts.ts';
import { route } from '../../platform/http/route/route.ts';
import { listEvents } from './events.list.ts';
import { eventList, eventQuery } from './events.schema.ts';

/** All types of events that the features declare, what they hold, and what their companies and invoices are called. */
type EventContext = { eventTypes: readonly string[]; eventData: readonly TSchema[]; nameParts: NameParts };

/** The operator's list of events. */
export function registerEventRoutes(app: FastifyInstance, { eventTypes, eventData, nameParts }: EventContext): void {
  route(app, {
    method: 'GET',
    url: '/operator/events',
    operationId: 'listEvents',
    tag: 'Webhooks',
    summary: 'List events',
    description: 'The events of all companies, newest first. Paydesk keeps events for 90 days.',
    access: 'operator',
    query: eventQuery(eventTypes),
    response: { 200: eventList(eventTypes, eventData) },
    errors: [],
    handler: ({ query }, db) => listEvents(db, query, nameParts),
  });
}
