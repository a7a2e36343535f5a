import type { FastifyInstance } from 'fastify';
import type { ChargesHold } from '../../continuity/hold/charges-hold.service.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { operatorRoleOf } from '../../platform/http/route/credentials.ts';
import { route } from '../../platform/http/route/route.ts';
import type { JobTable } from '../../platform/queue/job-table.ts';
import { OperatorOverview } from './overview.schema.ts';
import { readOperatorOverview } from './overview.service.ts';

export type OverviewContext = {
  db: Db;
  clock: Clock;
  chargesHold: Pick<ChargesHold, 'current'>;
  jobTables: readonly JobTable[];
};

/** Registers the route of the console's home page. */
export function registerOperatorOverviewRoutes(
  app: FastifyInstance,
  { db, clock, chargesHold, jobTables }: OverviewContext,
): void {
  route(app, {
    method: 'GET',
    url: '/operator/overview',
    operationId: 'getOperatorOverview',
    tag: 'Operator',
    summary: 'Read what was billed and collected, what is due, and what a person has to look at',
    description:
      'The sums of all companies. The amounts of the months are those of the ledger, and what is due is the balance of its account ' +
      '`receivable`.',
    access: 'operator',
    response: { 200: OperatorOverview },
    errors: [],
    handler: ({ operator }) => {
      const onlyMailsAboutMoney = operatorRoleOf(operator) !== 'admin';
      return readOperatorOverview(db, { now: clock(), hold: chargesHold.current(), jobTables, onlyMailsAboutMoney });
    },
  });
}
