import type { FastifyInstance } from 'fastify';
import { Invoice } from '../../billing/invoices/record/invoices.schema.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import { ResolvePaymentBody } from './resolve.schema.ts';
import { resolvePayment } from './resolve.ts';

/** Registers the route by which the operator resolves a payment under review. */
export function registerPaymentResolveRoutes(app: FastifyInstance, dependencies: PaymentDependencies): void {
  route(app, {
    method: 'POST',
    url: '/operator/payments/:payment_id/resolve',
    operationId: 'resolvePayment',
    tag: 'Operator',
    summary: 'Resolve a payment that is under review',
    description:
      'Asks the gateway about it once more, and settles it by the answer: captured as intended, it has succeeded; canceled, declined or ' +
      'never confirmed, it has failed, and is canceled there first. Where another amount was captured, `outcome` accepts it ' +
      '(`succeeded`) or refunds it (`refunded`), after which the payment has failed and the invoice can be paid. Else `outcome` decides ' +
      'only where the gateway cannot say anything (any more). Once more, it changes nothing. While charges are held, none becomes ' +
      'failed. Answers with the invoice.',
    access: 'operator',
    resource: 'payment',
    body: ResolvePaymentBody,
    response: { 200: Invoice },
    examples: { 200: { status: 'Succeeded' } },
    errors: [
      'not_under_review',
      'outcome_contradicted',
      'payment_under_review',
      'invoice_voided',
      'credit_currency_differs',
      'refund_refused',
      'refund_under_review',
      'charges_held',
      'service_unavailable',
    ],
    idempotency: 'run',
    audit: { recordedBy: 'service' },
    handler: ({ ids, body, request }) => resolvePayment(dependencies, ids.payment_id, body, actorOf(request)),
  });
}
