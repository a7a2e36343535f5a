import type { FastifyInstance } from 'fastify';
import { Invoice } from '../../billing/invoices/record/invoices.schema.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import { ResolvePaymentBody } from './resolve-payment.schema.ts';
import { resolvePayment } from './resolve-payment.ts';

/** Registers the route by which the operator resolves a payment under review. */
export function registerPaymentResolveRoutes(app: FastifyInstance, dependencies: PaymentDependencies): void {
  route(app, {
    method: 'POST',
    url: '/operator/payments/:payment_id/resolve',
    operationId: 'resolvePayment',
    tag: 'Operator',
    summary: 'Resolve a payment that is under review',
    description:
      'Asks the gateway about the payment again, and settles the payment by the answer. Captured as intended: the payment has ' +
      'succeeded. Canceled, declined or never confirmed: the payment has failed, and is canceled at the gateway first. If ' +
      'another amount was captured, `outcome` accepts it (`succeeded`) or refunds it (`refunded`); after a refund the payment ' +
      'has failed, and the invoice can be paid again. In all other cases, `outcome` decides only if the gateway cannot answer. ' +
      'Repeating the request changes nothing. While charges are held, no payment becomes failed. The response is the invoice.',
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
