import type { Logger } from 'pino';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { readJobQueue } from '../../platform/queue/metrics.worker.queries.ts';
import { PREVIEW_JOBS, removeOldPreviews } from './previews.operator.queries.ts';
import { registerBillingPreviewRoutes } from './previews.routes.ts';
import { startPreviewWorker } from './previews.worker.ts';

/** Previews of billing runs. */
export const billingPreviews = {
  routes: (server, { clock }: { clock: Clock }) => registerBillingPreviewRoutes(server, { clock }),
  workers: ({ db, logger }: { db: Db; logger: Logger }) => [startPreviewWorker(db, logger)],
  jobTables: [PREVIEW_JOBS],
  removeOld: [removeOldPreviews],
  workQueues: (db) => readJobQueue(db, [PREVIEW_JOBS]),
} satisfies AnyFeature;
