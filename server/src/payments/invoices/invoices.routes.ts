import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import { route } from '../../platform/http/route/route.ts';
import { fileContent } from '../../platform/http/schema/fields.ts';
import { readerOf } from '../payment/payment.ts';
import { writeInvoices, writeInvoicesOfAll } from './invoices.file.ts';
import { OperatorInvoiceFileQuery, OperatorInvoiceList, OperatorInvoiceQuery } from './invoices.read.schema.ts';
import { listInvoicesOfAll } from './invoices.read.ts';
import { InvoiceFileQuery, InvoiceList, InvoiceQuery } from './invoices.schema.ts';
import { listInvoices } from './invoices.service.ts';

export type InvoiceListContext = { db: Db; clock: Clock; externalIds: ExternalIds };

/** Invoices with their payments: the company lists its own, the operator those of all. */
export function registerInvoiceListRoutes(app: FastifyInstance, context: InvoiceListContext): void {
  const { clock } = context;
  route(app, {
    method: 'GET',
    url: '/payments/orders',
    operationId: 'listInvoices',
    tag: 'Invoices',
    summary: 'List invoices',
    description:
      'The invoice of the newest period comes first. Each invoice is shown with its latest payment. All filters combine with AND.',
    access: 'platform.billing.view',
    query: InvoiceQuery,
    response: { 200: InvoiceList },
    examples: { 200: { data: [{ status: 'Succeeded', payment: { status: 'Succeeded' } }] } },
    errors: [],
    handler: ({ companyId, query, request }, db) =>
      listInvoices(db, companyId, query, { now: clock(), reader: readerOf(request) }),
  });
  route(app, {
    method: 'GET',
    url: '/payments/orders.csv',
    operationId: 'getInvoicesCsv',
    tag: 'Invoices',
    summary: 'Read the invoices as a file',
    description: 'CSV (RFC 4180) of all invoices that match, the one of the newest period first.',
    access: 'platform.billing.view',
    query: InvoiceFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ companyId, query, reply }, db) => {
      const file = writeInvoices(db, companyId, query, clock());
      reply.header('content-disposition', 'attachment; filename="invoices.csv"');
      return file;
    },
  });
  registerOperatorRoutes(app, context);
}

function registerOperatorRoutes(app: FastifyInstance, { db: pool, clock, externalIds }: InvoiceListContext): void {
  route(app, {
    method: 'GET',
    url: '/operator/invoices',
    operationId: 'listOperatorInvoices',
    tag: 'Operator',
    summary: 'List the invoices of all companies',
    description:
      'The newest invoice comes first. Each invoice is shown with its latest payment. All filters combine with AND.',
    access: 'operator',
    query: OperatorInvoiceQuery,
    response: { 200: OperatorInvoiceList },
    errors: [],
    handler: ({ query }) => listInvoicesOfAll(pool, query, clock()),
  });
  route(app, {
    method: 'GET',
    url: '/operator/invoices.csv',
    operationId: 'getOperatorInvoicesCsv',
    tag: 'Operator',
    summary: 'Read the invoices of all companies as a file',
    description: 'CSV (RFC 4180) of all invoices that match, the newest first.',
    access: 'operator',
    query: OperatorInvoiceFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query, reply }, db) => {
      const file = writeInvoicesOfAll(db, query, { now: clock(), externalIds });
      reply.header('content-disposition', 'attachment; filename="invoices.csv"');
      return file;
    },
  });
}
