import type { FastifyInstance } from 'fastify';
import type { Gateways } from '../../../gateways/gateways.ts';
import type { Db } from '../../../platform/database/database.ts';
import { actorOf } from '../../../platform/http/route/actor.ts';
import { route } from '../../../platform/http/route/route.ts';
import { refundUnallocated } from './refund.ts';
import { RecoveryRefund, RecoveryRefundBody } from './unallocated.schema.ts';

/** Registers the route that refunds a capture which no invoice here gets. */
export function registerUnallocatedRoutes(
  app: FastifyInstance,
  { db, gateways }: { db: Db; gateways: Gateways },
): void {
  route(app, {
    method: 'POST',
    url: '/operator/recovery/refunds',
    operationId: 'refundUnallocated',
    tag: 'Operator',
    summary: 'Refund a capture that no invoice here gets',
    description:
      'For a capture that was left to a person when the books were brought together after a restore: its company or its invoice is not ' +
      'here, or the invoice is paid already. It works while charges are held, too. The capture is booked to the account `unallocated`, ' +
      'with `companyId` null, and the refund reverses that. However often it is called, the payment is refunded once; of one that the ' +
      'gateway has refunded in full, only the books get both. 404 when the payment was not found after a restore, 409 when it is in the ' +
      'books or does not wait for a person.',
    access: 'operator',
    body: RecoveryRefundBody,
    response: { 200: RecoveryRefund },
    errors: ['not_found', 'not_under_review', 'payment_not_captured', 'refund_refused', 'service_unavailable'],
    idempotency: 'run',
    audit: { recordedBy: 'service' },
    handler: ({ body, request }) => refundUnallocated({ db, gateways }, { ...body, actor: actorOf(request) }),
  });
}
