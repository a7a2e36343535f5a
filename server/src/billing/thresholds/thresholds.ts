import type { Logger } from 'pino';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { readJobQueue } from '../../platform/queue/metrics.worker.queries.ts';
import { usageThresholdEvents } from './thresholds.events.ts';
import { registerUsageThresholdRoutes } from './thresholds.routes.ts';
import { THRESHOLD_JOBS } from './thresholds.worker.queries.ts';
import { startThresholdWorker } from './thresholds.worker.ts';

/** The usage thresholds feature. */
export const usageThresholds = {
  routes: (server, { clock }: { clock: Clock }) => registerUsageThresholdRoutes(server, { clock }),
  events: usageThresholdEvents.declarations,
  workers: ({ db, clock, logger }: { db: Db; clock: Clock; logger: Logger }) => [
    startThresholdWorker({ db, clock }, logger),
  ],
  jobTables: [THRESHOLD_JOBS],
  workQueues: (db) => readJobQueue(db, [THRESHOLD_JOBS]),
} satisfies AnyFeature;
