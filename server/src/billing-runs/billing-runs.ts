import type { Logger } from 'pino';
import type { ChargesHold } from '../charges-hold.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import type { AnyFeature } from '../feature.ts';
import type { Gateways } from '../gateways/gateways.ts';
import { registerBillingRunRoutes } from './billing-runs.routes.ts';
import { readBillingQueue, releaseRuns } from './billing-runs.run.queries.ts';
import { scheduleRuns } from './billing-runs.schedule.ts';
import { startBillingWorker } from './billing-runs.worker.ts';

type WorkContext = { db: Db; gateways: Gateways; clock: Clock; logger: Logger; chargesHold: ChargesHold | null };

/** Billing runs: invoices of the usage of a month. */
export const billingRuns = {
  routes: (server, { clock, gateways }: { clock: Clock; gateways: Gateways }) =>
    registerBillingRunRoutes(server, { clock, needsSeller: gateways.isReal }),
  workersHeldWithCharges: ({ db, gateways, logger }: WorkContext) => [
    startBillingWorker(db, logger, { needsSeller: gateways.isReal }),
  ],
  jobs: (context: WorkContext) => [
    { name: 'billing-schedule', cron: '*/15 * * * *', work: () => scheduleRuns(context) },
  ],
  releaseLeases: releaseRuns,
  workQueues: readBillingQueue,
} satisfies AnyFeature;
