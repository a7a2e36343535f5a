import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { route } from '../../platform/http/route/route.ts';
import { ActionPostings, PostingsQuery } from './postings.schema.ts';
import { previewPostings } from './postings.service.ts';

/** Registers the preview of what an action would post. */
export function registerPostingsRoutes(app: FastifyInstance, pool: Db): void {
  route(app, {
    method: 'GET',
    url: '/operator/invoices/:invoice_id/postings',
    operationId: 'previewInvoicePostings',
    tag: 'Operator',
    summary: 'Read what a void, a credit note or a refund would post',
    description:
      'Does the action in a transaction that is rolled back: nothing is kept, sent or numbered, and no gateway is called. An action ' +
      'that would be refused is refused with the same error. A refund posts what it posts when the gateway has refunded, and the ' +
      'credit note that it needs. Postings to one account are added up.',
    access: 'operator',
    resource: 'invoice',
    query: PostingsQuery,
    response: { 200: ActionPostings },
    errors: [
      ...(['charges_held', 'invoice_voided', 'invoice_paid', 'invoice_credited', 'invoice_unpaid'] as const),
      ...(['credit_exceeds_invoice', 'payment_in_progress', 'payment_under_review', 'payment_not_captured'] as const),
      ...(['refund_exceeds_payment', 'payment_disputed', 'credit_currency_differs'] as const),
    ],
    handler: ({ ids, query }) => previewPostings(pool, ids.invoice_id, query),
  });
}
