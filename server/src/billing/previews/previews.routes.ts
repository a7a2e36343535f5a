import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import { route } from '../../platform/http/route/route.ts';
import {
  BillingPreview,
  BillingPreviewBody,
  BillingPreviewInvoiceList,
  BillingPreviewInvoiceQuery,
} from './previews.schema.ts';
import { createPreview, listPreviewInvoices, readPreview } from './previews.service.ts';

const tag = 'Billing runs';
const resource = 'billing preview';

/** Registers the routes for previews of billing runs. */
export function registerBillingPreviewRoutes(app: FastifyInstance, { clock }: { clock: Clock }): void {
  route(app, {
    method: 'POST',
    url: '/operator/billing-previews',
    operationId: 'startBillingPreview',
    tag,
    summary: 'Preview a billing run',
    description:
      'Computes, in the background, the invoices that the billing run of a month would issue now. Nothing is issued. The preview ' +
      'is kept for a week. Companies that are already billed for the month are left out.',
    access: 'operator',
    body: BillingPreviewBody,
    response: { 202: BillingPreview },
    errors: ['period_not_over'],
    idempotency: 'create',
    audit: { unrecorded: 'A preview computes what a billing run would issue, and changes nothing else.' },
    transaction: ({ body }, tx) => createPreview(tx, body.period, clock()),
  });
  route(app, {
    method: 'GET',
    url: '/operator/billing-previews/:preview_id',
    operationId: 'getBillingPreview',
    tag,
    summary: 'Read a preview',
    description:
      'Returns the progress, the totals by currency, the paths without a price, and the number of companies whose invoice ' +
      'differs much from the month before.',
    access: 'operator',
    resource,
    response: { 200: BillingPreview },
    errors: [],
    handler: ({ ids }, db) => readPreview(db, ids.preview_id),
  });
  route(app, {
    method: 'GET',
    url: '/operator/billing-previews/:preview_id/invoices',
    operationId: 'listBillingPreviewInvoices',
    tag,
    summary: "List a preview's invoices",
    description:
      "Lists the invoices by company. The lines of an invoice are in the company's upcoming invoice with the same `period`.",
    access: 'operator',
    resource,
    query: BillingPreviewInvoiceQuery,
    response: { 200: BillingPreviewInvoiceList },
    errors: [],
    handler: ({ ids, query }, db) => listPreviewInvoices(db, ids.preview_id, query),
  });
}
