import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import { route } from '../../platform/http/route/route.ts';
import { createInvoice } from './invoices.service.ts';
import { CreateInvoiceBody, Invoice } from './record/invoices.schema.ts';

/** What the audit log keeps of an issued invoice. */
const AUDITED = ['number', 'reference', 'method', 'currency', 'startAt', 'endAt', 'subTotal', 'tax', 'total'];

/** The operator issues invoices. Their lists, with their payments, and paying belong to the payments. */
export function registerInvoiceRoutes(
  app: FastifyInstance,
  { clock, needsSeller }: { clock: Clock; needsSeller: boolean },
): void {
  route(app, {
    method: 'POST',
    url: '/operator/invoices',
    operationId: 'createInvoice',
    tag: 'Operator',
    summary: 'Issue an invoice',
    description:
      'A new invoice has the status `Processing`. If the company has an invoice with the same `reference` already, the response ' +
      'is 200 with that invoice. The lines of an invoice never change afterwards, only its status: by a payment, credit ' +
      'notes, refunds or a void.',
    access: 'operator',
    body: CreateInvoiceBody,
    exactNumbers: ['amount', 'totalRequest'],
    response: { 201: Invoice, 200: Invoice },
    examples: { 200: { paymentId: null }, 201: { paymentId: null } },
    errors: ['reference_taken', 'seller_required'],
    idempotency: 'create',
    heldWithCharges: 'unless_configured',
    audit: { audience: 'company', action: 'invoice.created', fields: AUDITED },
    async transaction({ body, reply }, tx) {
      const { status, invoice } = await createInvoice(tx, body.companyId, body, { issuedAt: clock(), needsSeller });
      reply.code(status);
      return invoice;
    },
  });
}
