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
      'Works out, in the background, what the run of a month would issue by now: a dry run. Nothing is issued. It is kept for a week. ' +
      'Whoever is billed for the month already is left out.',
    access: 'operator',
    body: BillingPreviewBody,
    response: { 202: BillingPreview },
    errors: ['period_not_over'],
    idempotency: 'create',
    audit: { unrecorded: 'It computes what a run would bill, and changes nothing.' },
    transaction: ({ body }, tx) => createPreview(tx, body.period, clock()),
  });
  route(app, {
    method: 'GET',
    url: '/operator/billing-previews/:preview_id',
    operationId: 'getBillingPreview',
    tag,
    summary: 'Read a preview',
    description:
      'How far it is, totals by currency, paths without a price, and how many stand out against the month before.',
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
    description: "By company. The lines of one are in the company's upcoming invoice with this `period`.",
    access: 'operator',
    resource,
    query: BillingPreviewInvoiceQuery,
    response: { 200: BillingPreviewInvoiceList },
    errors: [],
    handler: ({ ids, query }, db) => listPreviewInvoices(db, ids.preview_id, query),
  });
}
