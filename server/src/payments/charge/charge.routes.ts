import type { FastifyInstance, FastifyReply } from 'fastify';
import { findInvoiceCompany } from '../../billing/invoices/invoices.service.ts';
import { Invoice } from '../../billing/invoices/record/invoices.schema.ts';
import type { Config } from '../../platform/config/config.ts';
import { clientNetwork } from '../../platform/http/limits/client-network.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import { readerOf } from '../payment/payment.ts';
import { type PaymentDependencies, payInvoice } from './charge.ts';

/** What the company's and the operator's route to charge an invoice have in common. */
const CHARGE = {
  resource: 'invoice',
  response: { 200: Invoice, 202: Invoice },
  examples: { 200: { status: 'Succeeded' }, 202: { status: 'Processing', paymentId: null } },
  errors: [
    'authentication_required',
    'card_declined',
    'payment_method_required',
    'payment_in_progress',
    'payment_under_review',
    'invoice_voided',
    'awaiting_release',
    'service_unavailable',
  ],
  idempotency: 'run',
  heldWithCharges: true,
} as const;

/** Registers the routes by which a company and the operator charge an invoice. */
export function registerPaymentRoutes(
  app: FastifyInstance,
  dependencies: PaymentDependencies,
  limits: Config['refusedCharges'],
): void {
  route(app, {
    ...CHARGE,
    method: 'PUT',
    url: '/payments/orders/:invoice_id/pay',
    operationId: 'payInvoice',
    tag: 'Invoices',
    summary: 'Pay an invoice',
    description:
      "Uses the company's credit first, and charges the rest to the default card or, without a default, to the only card. An " +
      'invoice with the method `paypal` is charged to the PayPal account. If the invoice is paid already, the response is 200 ' +
      "and nothing is charged. 202 means that the gateway's answer was lost. Paydesk finds out the outcome later and never " +
      'guesses it; ask again after `Retry-After`. Charges requested here that the bank declines are counted. After 20 in an hour ' +
      'for one invoice, 60 for one company, 1,000 from one address or 100 for one card, further requests are answered with 429.',
    access: 'platform.billing.all',
    response: CHARGE.response,
    errors: [...CHARGE.errors, 'card_testing_suspected'],
    audit: { recordedBy: 'service' },
    handler: async ({ companyId, ids, request, reply }) => {
      const requester = { network: clientNetwork(request.ip), limits };
      return answerCharge(
        reply,
        await payInvoice(dependencies, companyId, ids.invoice_id, requester, {
          actor: actorOf(request),
          reader: readerOf(request),
        }),
      );
    },
  });
  route(app, {
    ...CHARGE,
    method: 'POST',
    url: '/operator/invoices/:invoice_id/charge',
    operationId: 'chargeInvoice',
    tag: 'Operator',
    summary: "Charge any company's invoice",
    description:
      'Charges the invoice as `PUT /payments/orders/{invoice_id}/pay` does: the credit first, then the default ' +
      'card or, without a default, the only card. An invoice with the method `paypal` is charged to the PayPal ' +
      'account. If the invoice is paid already, the response is 200 and nothing is charged. 202 means that the ' +
      "gateway's answer was lost. Paydesk finds out the outcome later and never guesses it.",
    access: 'operator',
    response: CHARGE.response,
    audit: { recordedBy: 'service' },
    handler: async ({ ids, request, reply }, db) => {
      const companyId = await findInvoiceCompany(db, ids.invoice_id);
      return answerCharge(
        reply,
        await payInvoice(dependencies, companyId, ids.invoice_id, null, { actor: actorOf(request) }),
      );
    },
  });
}

function answerCharge(
  reply: FastifyReply,
  { status, invoice }: Awaited<ReturnType<typeof payInvoice>>,
): Json<typeof Invoice> {
  if (status === 202) reply.code(202).header('retry-after', 5);
  return invoice;
}
