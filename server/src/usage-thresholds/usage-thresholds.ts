import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import type { AnyFeature } from '../feature.ts';
import { readThresholdQueue } from './usage-thresholds.check.queries.ts';
import { usageThresholdEvents } from './usage-thresholds.events.ts';
import { registerUsageThresholdRoutes } from './usage-thresholds.routes.ts';
import { startThresholdWorker } from './usage-thresholds.worker.ts';

/** Thresholds of usage that events tell of. */
export const usageThresholds = {
  routes: (server, { clock }: { clock: Clock }) => registerUsageThresholdRoutes(server, { clock }),
  events: usageThresholdEvents.declarations,
  workers: ({ db, clock, logger }: { db: Db; clock: Clock; logger: Logger }) => [
    startThresholdWorker({ db, clock }, logger),
  ],
  workQueues: readThresholdQueue,
} satisfies AnyFeature;
