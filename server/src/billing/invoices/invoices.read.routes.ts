import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import { route } from '../../platform/http/route/route.ts';
import { OperatorInvoiceQuery } from './invoices.read.schema.ts';
import { listInvoicesOfAll } from './invoices.read.ts';
import { InvoiceList } from './record/invoices.schema.ts';

/** Registers the operator's list of invoices. */
export function registerInvoiceReadRoutes(app: FastifyInstance, { clock }: { clock: Clock }): void {
  route(app, {
    method: 'GET',
    url: '/operator/invoices',
    operationId: 'listOperatorInvoices',
    tag: 'Operator',
    summary: 'List the invoices of all companies',
    description: 'Newest first, each with its latest payment. All filters combine with AND.',
    access: 'operator',
    query: OperatorInvoiceQuery,
    response: { 200: InvoiceList },
    errors: [],
    handler: ({ query }, db) => listInvoicesOfAll(db, query, clock()),
  });
}
