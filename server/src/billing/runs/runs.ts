import type { Logger } from 'pino';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { RUN_JOBS, readBillingQueue } from './pass/run.worker.queries.ts';
import { scheduleRuns } from './pass/schedule.ts';
import { registerBillingRunRoutes } from './runs.routes.ts';
import { startBillingWorker } from './runs.worker.ts';

type WorkContext = { db: Db; gateways: Gateways; clock: Clock; logger: Logger; chargesHold: { isHeld: () => boolean } };

/** Billing runs: invoices for the usage of a month. */
export const billingRuns = {
  routes: (server, { clock, gateways }: { clock: Clock; gateways: Gateways }) =>
    registerBillingRunRoutes(server, { clock, needsSeller: gateways.isReal }),
  workersHeldWithCharges: ({ db, gateways, logger }: WorkContext) => [
    startBillingWorker(db, logger, { needsSeller: gateways.isReal }),
  ],
  schedules: (context: WorkContext) => [
    { name: 'billing-schedule', everySeconds: 15 * 60, work: () => scheduleRuns(context) },
  ],
  jobTables: [RUN_JOBS],
  workQueues: readBillingQueue,
} satisfies AnyFeature;
