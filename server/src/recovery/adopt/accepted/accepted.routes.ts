import type { FastifyInstance } from 'fastify';
import type { Gateways } from '../../../gateways/gateways.ts';
import type { Db } from '../../../platform/database/database.ts';
import { actorOf } from '../../../platform/http/route/actor.ts';
import { route } from '../../../platform/http/route/route.ts';
import { acceptCapture } from './accept.ts';
import { RecoveryAcceptance, RecoveryAcceptanceBody } from './accepted.schema.ts';

/** Registers the route that accepts a second capture of a debt. */
export function registerAcceptedRoutes(app: FastifyInstance, dependencies: { db: Db; gateways: Gateways }): void {
  route(app, {
    method: 'POST',
    url: '/operator/recovery/acceptances',
    operationId: 'acceptSecondCapture',
    tag: 'Operator',
    summary: 'Accept a second capture of a debt as credit',
    description:
      'For a capture that was left to a person when the books were brought together after a restore, because another payment has paid ' +
      'its invoice. All of it becomes credit of the company, which its next invoices use. It works while charges are held, too, and ' +
      'however often it is called, the capture is booked once. 404 when the payment was not found after a restore, 409 when it does not ' +
      'wait for a person, when its company or invoice is not here, or when some of it is refunded.',
    access: 'operator',
    body: RecoveryAcceptanceBody,
    response: { 200: RecoveryAcceptance },
    errors: [
      'not_found',
      'not_under_review',
      'payment_not_captured',
      'payment_under_review',
      'credit_currency_differs',
      'service_unavailable',
    ],
    idempotency: 'run',
    audit: { recordedBy: 'service' },
    handler: ({ body, request }) => acceptCapture(dependencies, { ...body, actor: actorOf(request) }),
  });
}
