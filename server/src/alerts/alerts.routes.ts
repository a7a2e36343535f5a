import type { FastifyInstance } from 'fastify';
import { route } from '../platform/http/route/route.ts';
import { Alert, AlertList, AlertQuery } from './alerts.schema.ts';
import { acknowledgeAlert, listAlerts } from './alerts.service.ts';

/** The operator's list of alerts. */
export function registerAlertRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/operator/alerts',
    operationId: 'listAlerts',
    tag: 'Operator',
    summary: 'List alerts',
    description:
      'What a person has to look at, of all companies, newest first. `state=open` is what nobody has in hand yet. Each is also an event ' +
      "`alert.created`, for the operator's webhook endpoints.",
    access: 'operator',
    query: AlertQuery,
    response: { 200: AlertList },
    errors: [],
    handler: ({ query }, db) => listAlerts(db, query),
  });
  route(app, {
    method: 'POST',
    url: '/operator/alerts/:alert_id/acknowledge',
    operationId: 'acknowledgeAlert',
    tag: 'Operator',
    summary: 'Acknowledge an alert',
    description:
      'Says that a person has it in hand. It changes nothing about what the alert is about; once more changes nothing at all.',
    access: 'operator',
    resource: 'alert',
    response: { 200: Alert },
    examples: { 200: { acknowledgedAt: '2026-10-01T00:05:00.000Z' } },
    errors: [],
    idempotency: 'create',
    audit: { audience: 'company', action: 'alert.acknowledged', name: ({ kind }) => kind, fields: ['acknowledgedAt'] },
    transaction: ({ ids }, tx) => acknowledgeAlert(tx, ids.alert_id),
  });
}
