import type { Logger } from 'pino';
import type { Clock } from '../../../platform/calendar/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { AnyFeature } from '../../../platform/feature/feature.ts';
import { type Metrics, shareFor } from '../../../platform/http/metrics/metrics.ts';
import { readJobQueue } from '../../../platform/queue/metrics.worker.queries.ts';
import type { FindPeriodsSince } from '../ingest/ingest-late.ts';
import { startAttribution } from './attribution.ts';
import { ATTRIBUTION_JOBS } from './attribution.worker.queries.ts';
import { alertOfUnattributed } from './unattributed.alert.ts';
import { countAllWaiting, removeDiscarded } from './unattributed.operator.queries.ts';
import { registerUnattributedRoutes } from './unattributed.routes.ts';

type WorkContext = { db: Db; clock: Clock; findPeriodsSince: FindPeriodsSince; logger: Logger };

/** Usage of external ids that no company has yet: it waits, and becomes a company's usage when the company gets its id. */
export const unattributedUsage = {
  routes: registerUnattributedRoutes,
  workers: ({ logger, ...context }: WorkContext) => [startAttribution(context, logger)],
  schedules: ({ db, clock }: WorkContext) => [
    { name: 'unattributed-usage', everySeconds: 15 * 60, work: () => alertOfUnattributed(db, clock) },
  ],
  jobTables: [ATTRIBUTION_JOBS],
  workQueues: (db) => readJobQueue(db, [ATTRIBUTION_JOBS]),
  removeOld: [removeDiscarded],
  metrics: (metrics: Metrics, db: Db) =>
    metrics.addGauge(
      'paydesk_unattributed_usage_events',
      'Usage events of external ids that no company has yet.',
      shareFor(0, () => countAllWaiting(db).catch(() => Number.NaN)),
    ),
} satisfies AnyFeature;
