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
      'Lists what needs the attention of a person, of all companies, newest first. `state=open` lists the alerts that nobody ' +
      "has acknowledged. Each alert is also an event `alert.created`, which the operator's webhook endpoints get.",
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
      'Records that a person takes care of the alert. Nothing else changes. Acknowledging the alert again changes nothing.',
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
