import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import { route } from '../../platform/http/route/route.ts';
import { Overview } from './overview.schema.ts';
import { readOverview } from './overview.service.ts';

/** Registers the route of the home page. */
export function registerOverviewRoutes(app: FastifyInstance, clock: Clock): void {
  route(app, {
    method: 'GET',
    url: '/payments/overview',
    operationId: 'getOverview',
    tag: 'Invoices',
    summary: 'Read what is due, the usage of the month, and what is not set up yet',
    description:
      'Any member of the company may read it. Parts that the role of the member may not see are null: `colleague` needs ' +
      '`platform.admins.view`, everything else `platform.billing.view`.',
    access: 'member',
    response: { 200: Overview },
    errors: [],
    handler: ({ companyId, userId, permissions }, db) =>
      readOverview(db, companyId, { userId, permissions, now: clock() }),
  });
}
