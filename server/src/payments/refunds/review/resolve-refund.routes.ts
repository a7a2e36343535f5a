import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../../platform/http/route/actor.ts';
import { route } from '../../../platform/http/route/route.ts';
import { Refund } from '../issue/refunds.schema.ts';
import type { RefundDependencies } from '../issue/refunds.service.ts';
import { ResolveRefundBody } from './resolve-refund.schema.ts';
import { resolveRefund } from './resolve-refund.ts';

/** Registers the route by which the operator resolves a refund under review. */
export function registerRefundResolveRoutes(app: FastifyInstance, dependencies: RefundDependencies): void {
  route(app, {
    method: 'POST',
    url: '/operator/refunds/:refund_id/resolve',
    operationId: 'resolveRefund',
    tag: 'Operator',
    summary: 'Resolve a refund that is under review',
    description:
      'Records the outcome that a person found at the gateway. Paydesk asks the gateway first; if the gateway says otherwise, ' +
      'nothing changes. With `failed`, the credit note stays: the credited amount stays due to the company, and another refund ' +
      'pays it. Repeating the request with the same outcome changes nothing.',
    access: 'operator',
    resource: 'refund',
    body: ResolveRefundBody,
    response: { 200: Refund },
    examples: { 200: { status: 'Succeeded' } },
    errors: ['not_under_review', 'outcome_contradicted', 'refund_under_review', 'service_unavailable'],
    idempotency: 'run',
    audit: { recordedBy: 'service' },
    handler: ({ ids, body, request }) => resolveRefund(dependencies, ids.refund_id, body, actorOf(request)),
  });
}
