import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { CreditEntry, CreditLedger, CreditQuery, GrantCreditBody } from './credits.schema.ts';
import { grantCredit, type InvoiceOfPayment, listCredits } from './credits.service.ts';

/** The operator grants credit, which payments use before they charge a card. */
export function registerCreditRoutes(app: FastifyInstance, invoiceOfPayment: InvoiceOfPayment): void {
  route(app, {
    method: 'POST',
    url: '/operator/companies/:company_id/credits',
    operationId: 'grantCredit',
    tag: 'Operator',
    summary: 'Grant credit to a company',
    description:
      "The credit is the company's `inStoreCredit`. The next payment of an invoice in this currency uses the credit first, and " +
      'charges the rest to the card.',
    access: 'operator',
    resource: 'company',
    body: GrantCreditBody,
    exactNumbers: ['amount'],
    response: { 201: CreditEntry },
    errors: ['insufficient_credit'],
    idempotency: 'create',
    audit: { audience: 'company', action: 'credit.granted', fields: ['amount', 'currency', 'reason', 'balance'] },
    transaction: ({ ids, body }, tx) => grantCredit(tx, ids.company_id, body),
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/credits',
    operationId: 'listCreditEntries',
    tag: 'Operator',
    summary: "List the entries of a company's credit",
    description: 'The newest entry comes first. Entries are never changed or removed; their sum is the balance.',
    access: 'operator',
    resource: 'company',
    query: CreditQuery,
    response: { 200: CreditLedger },
    errors: [],
    handler: ({ ids, query }, db) => listCredits(db, ids.company_id, query, invoiceOfPayment),
  });
}
