import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import type { AnyFeature } from '../feature.ts';
import { releasePreviews, removeOldPreviews } from './billing-previews.operator.queries.ts';
import { registerBillingPreviewRoutes } from './billing-previews.routes.ts';
import { startPreviewWorker } from './billing-previews.worker.ts';

/** What a billing run would issue. */
export const billingPreviews = {
  routes: (server, { clock }: { clock: Clock }) => registerBillingPreviewRoutes(server, { clock }),
  workers: ({ db, logger }: { db: Db; logger: Logger }) => [startPreviewWorker(db, logger)],
  releaseLeases: releasePreviews,
  removeOld: [removeOldPreviews],
} satisfies AnyFeature;
