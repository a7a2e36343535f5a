import type { FastifyInstance } from 'fastify';
import { route } from '../http/route.ts';
import { Invoice } from '../invoices/invoices.schema.ts';
import { findInvoiceCompany } from '../invoices/invoices.service.ts';
import { type PaymentDependencies, payInvoice } from './payments.charge.ts';

/** Charging any company's invoice. */
export function registerOperatorChargeRoutes(app: FastifyInstance, dependencies: PaymentDependencies): void {
  route(app, {
    method: 'POST',
    url: '/operator/invoices/:invoice_id/charge',
    tag: 'Operator',
    summary: "Charge any company's invoice",
    description:
      "As the company's own pay does: its credit first, then its default card, or else the only one; for an invoice of the method " +
      '`paypal`, its PayPal account. An invoice that is paid already answers 200 and nothing is charged. 202 says that the ' +
      "gateway's answer was lost: the outcome is found out later, never guessed.",
    access: 'operator',
    resource: 'invoice',
    response: { 200: Invoice, 202: Invoice },
    examples: { 200: { status: 'Succeeded' }, 202: { status: 'Processing', paymentId: null } },
    errors: [
      'card_declined',
      'payment_method_required',
      'payment_in_progress',
      'payment_under_review',
      'invoice_voided',
      'service_unavailable',
    ],
    idempotency: 'run',
    heldWithCharges: true,
    handler: async ({ ids, reply }, db) => {
      const companyId = await findInvoiceCompany(db, ids.invoice_id);
      const { status, invoice } = await payInvoice(dependencies, companyId, ids.invoice_id);
      if (status === 202) reply.code(202).header('retry-after', 5);
      return invoice;
    },
  });
}
