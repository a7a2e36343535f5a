import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { listWaiting } from './release.ts';
import { CaseResolution, ResolveCaseBody, WaitingInvoiceList, WaitingInvoiceQuery } from './resolve.schema.ts';
import { type ResolveDependencies, resolveCase } from './resolve.ts';

/** Registers the routes for what a person decides after a restore. */
export function registerResolveRoutes(app: FastifyInstance, dependencies: ResolveDependencies): void {
  route(app, {
    method: 'POST',
    url: '/operator/recovery/cases/:case_id/resolve',
    operationId: 'resolveRecoveryCase',
    tag: 'Operator',
    summary: 'Decide about a case that was left to a person',
    description:
      'Also works during a hold, and can be repeated: a capture is accepted or refunded only once. `accepted` is for a second ' +
      'capture of a debt, if nothing of it was refunded. `refunded` is for a capture whose company or invoice is not in the ' +
      'database, or whose invoice is paid: the capture is booked to the account `unallocated`, and the refund reverses that. ' +
      '`released` lets invoices be charged again that wait because a journal was lost or because a person had to compare them. ' +
      'Void or credit what is no longer owed first.',
    access: 'operator',
    resource: 'case',
    body: ResolveCaseBody,
    response: { 200: CaseResolution },
    errors: [
      'not_under_review',
      'payment_not_captured',
      'payment_under_review',
      'credit_currency_differs',
      'refund_refused',
      'service_unavailable',
    ],
    idempotency: 'run',
    audit: { recordedBy: 'service' },
    handler: ({ ids, body, request }) =>
      resolveCase(dependencies, { ...body, caseId: ids.case_id, actor: actorOf(request) }),
  });
  route(app, {
    method: 'GET',
    url: '/operator/recovery/invoices',
    operationId: 'listWaitingInvoices',
    tag: 'Operator',
    summary: 'List the invoices that wait for a release after a restore',
    description: 'Lists the open invoices of all companies, grouped by company.',
    access: 'operator',
    query: WaitingInvoiceQuery,
    response: { 200: WaitingInvoiceList },
    errors: [],
    handler: ({ query }, db) => listWaiting(db, query),
  });
}
