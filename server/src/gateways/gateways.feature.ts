import type { Logger } from 'pino';
import type { Db } from '../database/database.ts';
import type { AnyFeature } from '../feature.ts';
import { readDetachQueue } from './gateways.detach.queries.ts';
import { startDetaching } from './gateways.detach.ts';
import type { Gateways } from './gateways.ts';

/** Detaches, at their gateways, cards and accounts that were deleted here. */
export const detachedSources = {
  workers: ({ db, gateways, logger }: { db: Db; gateways: Gateways; logger: Logger }) => [
    startDetaching({ db, gateways }, logger),
  ],
  workQueues: readDetachQueue,
} satisfies AnyFeature;
