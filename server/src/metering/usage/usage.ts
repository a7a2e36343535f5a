import type { Logger } from 'pino';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { startUsageRollup } from './rollup/rollup.ts';
import { readUsageQueue } from './rollup/rollup.worker.queries.ts';
import { registerUsageRoutes } from './usage.routes.ts';
import { removeOldUsage } from './usage.worker.queries.ts';

/** The usage feature: usage events and their sums. */
export const usage = {
  routes: (server, { db, clock }: { db: Db; clock: Clock }) => registerUsageRoutes(server, { db, clock }),
  workers: ({ db, logger }: { db: Db; logger: Logger }) => [startUsageRollup(db, logger)],
  removeOld: [removeOldUsage],
  workQueues: readUsageQueue,
} satisfies AnyFeature;
