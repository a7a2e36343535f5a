import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { clientNetwork } from '../http/client-network.ts';
import { route } from '../http/route.ts';
import { Invoice } from '../invoices/invoices.schema.ts';
import { type PaymentDependencies, payInvoice } from './payments.charge.ts';
import { registerOperatorChargeRoutes } from './payments.operator.routes.ts';

/** Charging an invoice (specification 4.3). */
export function registerPaymentRoutes(
  app: FastifyInstance,
  dependencies: PaymentDependencies,
  limits: Config['refusedCharges'],
): void {
  route(app, {
    method: 'PUT',
    url: '/payments/orders/:invoice_id/pay',
    tag: 'Invoices',
    summary: 'Pay an invoice',
    description:
      "Takes the company's credit, and charges the rest to the default card, or else the only one; for an invoice of the method " +
      '`paypal`, to the PayPal account. ' +
      'An invoice that is paid already answers 200 and nothing is charged. ' +
      "202 says that the gateway's answer was lost: the outcome is found out later, never guessed; ask again after `Retry-After`. " +
      'Charges that are asked for here and that the bank refuses are counted: after 20 in an hour of one invoice, 60 of one company, ' +
      '1,000 from one address or 100 to one card, further ones are 429.',
    access: 'platform.billing.all',
    resource: 'invoice',
    response: { 200: Invoice, 202: Invoice },
    examples: { 200: { status: 'Succeeded' }, 202: { status: 'Processing', paymentId: null } },
    errors: [
      'card_declined',
      'card_testing_suspected',
      'payment_method_required',
      'payment_in_progress',
      'payment_under_review',
      'invoice_voided',
      'service_unavailable',
    ],
    idempotency: 'run',
    heldWithCharges: true,
    handler: async ({ companyId, ids, request, reply }) => {
      const asker = { network: clientNetwork(request.ip), limits };
      const { status, invoice } = await payInvoice(dependencies, companyId, ids.invoice_id, asker);
      if (status === 202) reply.code(202).header('retry-after', 5);
      return invoice;
    },
  });
  registerOperatorChargeRoutes(app, dependencies);
}
