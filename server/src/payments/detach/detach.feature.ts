import type { Logger } from 'pino';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { readJobQueue } from '../../platform/queue/metrics.worker.queries.ts';
import { startDetaching } from './detach.ts';
import { DETACH_JOBS } from './detach.worker.queries.ts';

/** Detaches deleted cards and accounts at their gateways. */
export const detachedSources = {
  workers: ({ db, gateways, logger }: { db: Db; gateways: Gateways; logger: Logger }) => [
    startDetaching({ db, gateways }, logger),
  ],
  jobTables: DETACH_JOBS,
  workQueues: (db) => readJobQueue(db, DETACH_JOBS),
} satisfies AnyFeature;
