import type { FastifyInstance } from 'fastify';
import { recordAudit } from '../../audit/audit.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { Release, ReleaseBody, WaitingInvoiceList, WaitingInvoiceQuery } from './release.schema.ts';
import { listWaiting, releaseInvoices } from './release.service.ts';

/** Registers the routes for invoices that wait for a person after a restore. */
export function registerReleaseRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, {
    method: 'GET',
    url: '/operator/recovery/invoices',
    operationId: 'listWaitingInvoices',
    tag: 'Operator',
    summary: 'List the invoices that wait for a release after a restore',
    description: 'The open ones of all companies, company by company.',
    access: 'operator',
    query: WaitingInvoiceQuery,
    response: { 200: WaitingInvoiceList },
    errors: [],
    handler: ({ query }, db) => listWaiting(db, query),
  });
  route(app, {
    method: 'POST',
    url: '/operator/recovery/release',
    operationId: 'releaseInvoices',
    tag: 'Operator',
    summary: 'Release invoices that wait after a restore',
    description:
      'After a hold that ended without all journals, invoices that were open by then are charged neither by themselves nor by hand ' +
      '(`collection.state` is `awaiting_release`), because they may have been voided or paid in another way since. Void or credit ' +
      'those that are no longer owed, then release the rest. So does an invoice about which a person decides after any restore.',
    access: 'operator',
    body: ReleaseBody,
    response: { 200: Release },
    errors: [],
    idempotency: 'run',
    audit: { recordedBy: 'service' },
    handler: async ({ body, request }) => {
      const released = await releaseInvoices(db, body);
      const entry = { actor: actorOf(request), action: 'recovery.released', target: null };
      await recordAudit(db, null, { audience: 'operator', ...entry, changes: { before: {}, after: { ...released } } });
      return released;
    },
  });
}
