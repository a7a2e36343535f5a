import type { FastifyInstance } from 'fastify';
import { route } from '../platform/http/route/route.ts';
import {
  OperatorCreditNoteList,
  OperatorCreditNoteQuery,
  OperatorPayment,
  OperatorPaymentList,
  OperatorPaymentQuery,
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
export function registerOperatorListRoutes(app: FastifyInstance): void {
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
}
