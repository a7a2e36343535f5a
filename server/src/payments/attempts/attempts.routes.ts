import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { readerOf } from '../payment/payment.ts';
import { InvoiceWithAttempts, OperatorInvoice } from './attempts.schema.ts';
import { readInvoiceOfAny, readInvoiceWithAttempts } from './attempts.service.ts';

/** Registers the route that reads an invoice with all attempts to collect it. */
export function registerInvoiceAttemptRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/payments/orders/:invoice_id',
    operationId: 'getInvoice',
    tag: 'Invoices',
    summary: 'Read an invoice with its payment attempts',
    description:
      'Returns the invoice as in the list, with every attempt to charge it and the next step of the automatic collection.',
    access: 'platform.billing.view',
    resource: 'invoice',
    response: { 200: InvoiceWithAttempts },
    errors: [],
    handler: ({ companyId, ids, request }, db) =>
      readInvoiceWithAttempts(db, companyId, ids.invoice_id, readerOf(request)),
  });
  route(app, {
    method: 'GET',
    url: '/operator/invoices/:invoice_id',
    operationId: 'getOperatorInvoice',
    tag: 'Operator',
    summary: "Read any company's invoice with its payment attempts",
    access: 'operator',
    resource: 'invoice',
    response: { 200: OperatorInvoice },
    errors: [],
    handler: ({ ids }, db) => readInvoiceOfAny(db, ids.invoice_id),
  });
}
