import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import { route } from '../../platform/http/route/route.ts';
import { requireSeller } from '../../seller/seller.service.ts';
import { UpcomingInvoice } from './batch/upcoming.schema.ts';
import { readUpcomingInvoice } from './batch/upcoming.ts';
import { RecomputedInvoice } from './runs.recompute.schema.ts';
import { recomputeInvoice } from './runs.recompute.ts';
import { BillingRun, BillingRunBody, BillingRunList, BillingRunQuery, UpcomingInvoiceQuery } from './runs.schema.ts';
import { createBillingRun, listBillingRuns, readBillingRun } from './runs.service.ts';

const tag = 'Billing runs';

/** Registers the routes for billing runs and for the draft of the next invoice. */
export function registerBillingRunRoutes(
  app: FastifyInstance,
  { clock, needsSeller }: { clock: Clock; needsSeller: boolean },
): void {
  registerRuns(app, clock, needsSeller);
  registerUpcomingInvoices(app, clock);
  registerRecompute(app);
}

function registerRuns(app: FastifyInstance, clock: Clock, needsSeller: boolean): void {
  route(app, {
    method: 'POST',
    url: '/operator/billing-runs',
    operationId: 'startBillingRun',
    tag,
    summary: 'Start a billing run',
    description:
      'Issues, in the background, one invoice for each company that used something in the month. The schedule does the same ' +
      "automatically, `invoiceGraceHours` after the month has ended in the company's time zone. This request does not wait for " +
      'the grace time: it bills each company as soon as its month has ended. A month has one run. Starting the run again bills ' +
      'the companies that are not billed yet; if there are none, nothing changes. Earlier months that are not completely billed ' +
      'are billed first.',
    access: 'operator',
    body: BillingRunBody,
    response: { 202: BillingRun },
    errors: ['period_not_over', 'seller_required'],
    idempotency: 'create',
    heldWithCharges: true,
    audit: { audience: 'operator', action: 'billing_run.created', name: ({ period }) => period, fields: ['period'] },
    async transaction({ body }, tx) {
      if (needsSeller) await requireSeller(tx);
      return createBillingRun(tx, body.period, clock());
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/billing-runs',
    operationId: 'listBillingRuns',
    tag,
    summary: 'List billing runs',
    description: 'The newest month comes first.',
    access: 'operator',
    query: BillingRunQuery,
    response: { 200: BillingRunList },
    errors: [],
    handler: ({ query }, db) => listBillingRuns(db, query),
  });
  route(app, {
    method: 'GET',
    url: '/operator/billing-runs/:billing_run_id',
    operationId: 'getBillingRun',
    tag,
    summary: 'Read a billing run',
    description:
      'Returns the progress of the run, the time of its next pass, the companies that could not be billed, and the paths without ' +
      'a price.',
    access: 'operator',
    resource: 'billing run',
    response: { 200: BillingRun },
    errors: [],
    handler: ({ ids }, db) => readBillingRun(db, ids.billing_run_id),
  });
}

function registerUpcomingInvoices(app: FastifyInstance, clock: Clock): void {
  route(app, {
    method: 'GET',
    url: '/payments/upcoming-invoice',
    operationId: 'getUpcomingInvoice',
    tag,
    summary: 'Read the upcoming invoice',
    description:
      'Computes the invoice of the current month from the usage so far or, with `period`, of an earlier month that is not billed ' +
      'yet. Months between the last invoice and that month are treated as billed. Nothing is stored.',
    access: 'platform.billing.view',
    query: UpcomingInvoiceQuery,
    response: { 200: UpcomingInvoice },
    errors: ['period_billed'],
    handler: ({ companyId, query }, db) => readUpcomingInvoice(db, companyId, clock(), query.period),
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/upcoming-invoice',
    operationId: 'getCompanyUpcomingInvoice',
    tag,
    summary: "Read a company's upcoming invoice",
    description: 'Returns the upcoming invoice as the company sees it.',
    access: 'operator',
    resource: 'company',
    query: UpcomingInvoiceQuery,
    response: { 200: UpcomingInvoice },
    errors: ['period_billed'],
    handler: ({ ids, query }, db) => readUpcomingInvoice(db, ids.company_id, clock(), query.period),
  });
}

function registerRecompute(app: FastifyInstance): void {
  route(app, {
    method: 'POST',
    url: '/operator/invoices/:invoice_id/recompute',
    operationId: 'recomputeInvoice',
    tag,
    summary: 'Compute an invoice again',
    description:
      'Computes the invoice again from the usage up to its cutoff, and from the prices, currency, tax rate and late usage policy ' +
      'of that time. Returns the differences from the issued invoice, and changes nothing. Billed usage and prices never change, ' +
      'so a difference means that somebody changed the database by hand.',
    access: 'operator',
    resource: 'invoice',
    response: { 200: RecomputedInvoice },
    errors: ['invoice_not_computed'],
    idempotency: 'create',
    audit: { unrecorded: 'It computes the invoice again for comparison, and changes nothing.' },
    transaction: ({ ids }, tx) => recomputeInvoice(tx, ids.invoice_id),
  });
}
