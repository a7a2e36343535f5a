import type { Logger } from 'pino';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { startLooking } from './looks.ts';

/** What gateways take as fees and pay out to the bank, as they tell it. */
export const feesAndPayouts = {
  workersHeldWithCharges: ({ db, gateways, logger }: { db: Db; gateways: Gateways; logger: Logger }) => [
    startLooking({ db, gateways }, logger),
  ],
} satisfies AnyFeature;
