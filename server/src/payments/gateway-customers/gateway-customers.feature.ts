import type { Logger } from 'pino';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { startDescribing } from './gateway-customers.ts';

/** Keeps the names and the e-mails of companies at their gateways as they are here. */
export const gatewayCustomers = {
  workers: ({ db, gateways, logger }: { db: Db; gateways: Gateways; logger: Logger }) => [
    startDescribing({ db, gateways }, logger),
  ],
} satisfies AnyFeature;
