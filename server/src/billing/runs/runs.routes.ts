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
      'Makes, in the background, one invoice for each company that used something in the month. The schedule does so by itself, ' +
      '`invoiceGraceHours` after the month of a company is over in its time zone; this does it now for all whose month is over, ' +
      'and for the others when it is. There is one run a month: started again, it bills who was not billed yet, and stays as it ' +
      'is when there is nobody. Earlier months that are not at their end are billed first.',
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
    description: 'The newest month first.',
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
    description: 'How far it is, when it goes on, who could not be billed, and which paths had no price.',
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
      'What the invoice of this month would be by now; with `period`, that of an earlier month that is not billed yet. Months before ' +
      'it that are not billed either count as billed. Nothing is stored.',
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
    description: 'As the company sees it.',
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
    summary: 'Compute an invoice anew',
    description:
      'From what it was computed from: the usage that was stored up to its cutoff, the prices of its time, and the currency, the tax ' +
      'rate and the policy for late usage of then. Says where the outcome differs from what was issued, and changes nothing. As ' +
      'billed usage and prices never change, a difference means that somebody changed the database by hand.',
    access: 'operator',
    resource: 'invoice',
    response: { 200: RecomputedInvoice },
    errors: ['invoice_not_computed'],
    idempotency: 'create',
    audit: { unrecorded: 'It computes the invoice again for comparison, and changes nothing.' },
    transaction: ({ ids }, tx) => recomputeInvoice(tx, ids.invoice_id),
  });
}
