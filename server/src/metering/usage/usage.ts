import type { Logger } from 'pino';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { startUsageRollup } from './rollup/rollup.ts';
import { readUsageQueue } from './rollup/rollup.worker.queries.ts';
import { registerUsageRoutes } from './usage.routes.ts';
import { removeOldUsage } from './usage.worker.queries.ts';

/** The usage feature: usage events and their sums. */
export const usage = {
  routes: registerUsageRoutes,
  workers: ({ db, logger }: { db: Db; logger: Logger }) => [startUsageRollup(db, logger)],
  removeOld: [removeOldUsage],
  workQueues: readUsageQueue,
} satisfies AnyFeature;
