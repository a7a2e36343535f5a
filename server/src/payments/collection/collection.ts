import type { Logger } from 'pino';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { COLLECTION_JOBS, readCollectionQueue, removeClosedCollections } from './collection.worker.queries.ts';
import { startCollector } from './collection.worker.ts';

type WorkContext = { config: Config; db: Db; gateways: Gateways; clock: Clock; logger: Logger };

/** The automatic collection of invoices. */
export const collection = {
  workersHeldWithCharges: ({ config, db, gateways, clock, logger }: WorkContext) => [
    startCollector({ db, gateways, clock, limits: config.refusedCharges }, logger),
  ],
  jobTables: [COLLECTION_JOBS],
  removeOld: [removeClosedCollections],
  workQueues: readCollectionQueue,
} satisfies AnyFeature;
