import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import { route } from '../http/route.ts';
import { BillingRun, BillingRunBody, BillingRunList, BillingRunQuery, UpcomingInvoice } from './billing-runs.schema.ts';
import { createBillingRun, listBillingRuns, readBillingRun } from './billing-runs.service.ts';
import { readUpcomingInvoice } from './billing-runs.upcoming.ts';

const tag = 'Billing runs';

/** Usage becomes invoices: the operator's runs, and the draft of the next invoice. */
export function registerBillingRunRoutes(app: FastifyInstance, { clock }: { clock: Clock }): void {
  registerRuns(app, clock);
  registerUpcomingInvoices(app, clock);
}

function registerRuns(app: FastifyInstance, clock: Clock): void {
  route(app, {
    method: 'POST',
    url: '/operator/billing-runs',
    tag,
    summary: 'Start a billing run',
    description:
      'Makes, in the background, one invoice for each company that used something in the month. There is one run a month: started ' +
      'again it is the same, and one that failed goes on with what is missing. Run months in their order: a company is billed from ' +
      'where its last period ended.',
    access: 'operator',
    body: BillingRunBody,
    response: { 202: BillingRun },
    errors: ['period_not_over'],
    idempotency: 'create',
    transaction: ({ body }, tx) => createBillingRun(tx, body.period, clock()),
  });
  route(app, {
    method: 'GET',
    url: '/operator/billing-runs',
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
    tag,
    summary: 'Read a billing run',
    description: 'How far it is, and which paths had no price.',
    access: 'operator',
    resource: 'billing run',
    response: { 200: BillingRun },
    errors: [],
    handler: ({ id }, db) => readBillingRun(db, id),
  });
}

function registerUpcomingInvoices(app: FastifyInstance, clock: Clock): void {
  route(app, {
    method: 'GET',
    url: '/payments/upcoming-invoice',
    tag,
    summary: 'Read the upcoming invoice',
    description: 'What the invoice of this month would be by now. Nothing is stored.',
    access: 'platform.billing.view',
    response: { 200: UpcomingInvoice },
    errors: [],
    handler: ({ companyId }, db) => readUpcomingInvoice(db, companyId, clock()),
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/upcoming-invoice',
    tag,
    summary: "Read a company's upcoming invoice",
    description: 'As the company itself sees it.',
    access: 'operator',
    resource: 'company',
    response: { 200: UpcomingInvoice },
    errors: [],
    handler: ({ id }, db) => readUpcomingInvoice(db, id, clock()),
  });
}
