import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import { route } from '../http/route.ts';
import { InvoiceWithAttempts, OperatorInvoice, OperatorInvoiceQuery } from './invoices.read.schema.ts';
import { listInvoicesOfAll, readInvoiceOfAny, readInvoiceWithAttempts } from './invoices.read.ts';
import { InvoiceList } from './invoices.schema.ts';

/** One invoice with all that was done to collect it; and for the operator, the way to find one. */
export function registerInvoiceReadRoutes(app: FastifyInstance, { clock }: { clock: Clock }): void {
  route(app, {
    method: 'GET',
    url: '/payments/orders/:invoice_id',
    tag: 'Invoices',
    summary: 'Read an invoice with its payment attempts',
    description: 'As in the list, with every attempt to charge it and what the automatic collection does next.',
    access: 'platform.billing.view',
    resource: 'invoice',
    response: { 200: InvoiceWithAttempts },
    errors: [],
    handler: ({ companyId, id }, db) => readInvoiceWithAttempts(db, companyId, id),
  });
  route(app, {
    method: 'GET',
    url: '/operator/invoices',
    tag: 'Operator',
    summary: 'List the invoices of all companies',
    description: 'Newest first, each with its latest payment. All filters combine with AND.',
    access: 'operator',
    query: OperatorInvoiceQuery,
    response: { 200: InvoiceList },
    errors: [],
    handler: ({ query }, db) => listInvoicesOfAll(db, query, clock()),
  });
  route(app, {
    method: 'GET',
    url: '/operator/invoices/:invoice_id',
    tag: 'Operator',
    summary: "Read any company's invoice with its payment attempts",
    access: 'operator',
    resource: 'invoice',
    response: { 200: OperatorInvoice },
    errors: [],
    handler: ({ id }, db) => readInvoiceOfAny(db, id),
  });
}
