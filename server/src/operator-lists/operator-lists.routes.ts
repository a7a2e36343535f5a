import type { FastifyInstance } from 'fastify';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { route } from '../platform/http/route/route.ts';
import { fileContent } from '../platform/http/schema/fields.ts';
import { writeCreditNotes, writePayments, writeRefunds } from './operator-lists.files.ts';
import {
  OperatorCreditNoteFileQuery,
  OperatorCreditNoteList,
  OperatorCreditNoteQuery,
  OperatorPayment,
  OperatorPaymentFileQuery,
  OperatorPaymentList,
  OperatorPaymentQuery,
  OperatorRefundFileQuery,
  OperatorRefundList,
  OperatorRefundQuery,
} from './operator-lists.schema.ts';
import {
  listCreditNotesOfAll,
  listPaymentsOfAll,
  listRefundsOfAll,
  readPaymentOfAny,
} from './operator-lists.service.ts';

const description = "The newest record comes first. Each record has the company's name. All filters combine with AND.";

/** The operator's lists of payments, refunds and credit notes of all companies. */
export function registerOperatorListRoutes(app: FastifyInstance, externalIds: ExternalIds): void {
  route(app, {
    method: 'GET',
    url: '/operator/payments',
    operationId: 'listOperatorPayments',
    tag: 'Operator',
    summary: 'List the payments of all companies',
    description,
    access: 'operator',
    query: OperatorPaymentQuery,
    response: { 200: OperatorPaymentList },
    errors: [],
    handler: ({ query }, db) => listPaymentsOfAll(db, query),
  });
  route(app, {
    method: 'GET',
    url: '/operator/payments/:payment_id',
    operationId: 'getOperatorPayment',
    tag: 'Operator',
    summary: "Read any company's payment",
    description: 'Returns the payment with the same fields as in the list of payments.',
    access: 'operator',
    resource: 'payment',
    response: { 200: OperatorPayment },
    errors: [],
    handler: ({ ids }, db) => readPaymentOfAny(db, ids.payment_id),
  });
  route(app, {
    method: 'GET',
    url: '/operator/refunds',
    operationId: 'listOperatorRefunds',
    tag: 'Operator',
    summary: 'List the refunds of all companies',
    description,
    access: 'operator',
    query: OperatorRefundQuery,
    response: { 200: OperatorRefundList },
    errors: [],
    handler: ({ query }, db) => listRefundsOfAll(db, query),
  });
  route(app, {
    method: 'GET',
    url: '/operator/credit-notes',
    operationId: 'listOperatorCreditNotes',
    tag: 'Operator',
    summary: 'List the credit notes of all companies',
    description,
    access: 'operator',
    query: OperatorCreditNoteQuery,
    response: { 200: OperatorCreditNoteList },
    errors: [],
    handler: ({ query }, db) => listCreditNotesOfAll(db, query),
  });

  registerFiles(app, externalIds);
}

const ABOUT_FILES = 'CSV (RFC 4180) of all records that match, the newest first.';

function registerFiles(app: FastifyInstance, externalIds: ExternalIds): void {
  route(app, {
    method: 'GET',
    url: '/operator/payments.csv',
    operationId: 'getOperatorPaymentsCsv',
    tag: 'Operator',
    summary: 'Read the payments of all companies as a file',
    description: ABOUT_FILES,
    access: 'operator',
    query: OperatorPaymentFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query, reply }, db) => {
      const file = writePayments(db, query, externalIds);
      reply.header('content-disposition', 'attachment; filename="payments.csv"');
      return file;
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/refunds.csv',
    operationId: 'getOperatorRefundsCsv',
    tag: 'Operator',
    summary: 'Read the refunds of all companies as a file',
    description: ABOUT_FILES,
    access: 'operator',
    query: OperatorRefundFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query, reply }, db) => {
      const file = writeRefunds(db, query, externalIds);
      reply.header('content-disposition', 'attachment; filename="refunds.csv"');
      return file;
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/credit-notes.csv',
    operationId: 'getOperatorCreditNotesCsv',
    tag: 'Operator',
    summary: 'Read the credit notes of all companies as a file',
    description: ABOUT_FILES,
    access: 'operator',
    query: OperatorCreditNoteFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query, reply }, db) => {
      const file = writeCreditNotes(db, query, externalIds);
      reply.header('content-disposition', 'attachment; filename="credit-notes.csv"');
      return file;
    },
  });
}
