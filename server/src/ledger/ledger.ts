import type { Db } from '../database/database.ts';
import type { AnyFeature } from '../feature.ts';
import type { Gateways } from '../gateways/gateways.ts';
import { registerLedgerRoutes } from './ledger.routes.ts';
import { closeLedgerHours } from './ledger.service.ts';

/** The double-entry ledger and its comparison with the gateways. */
export const ledger = {
  routes: (server, { db, gateways }: { db: Db; gateways: Gateways }) => registerLedgerRoutes(server, { db, gateways }),
  maintain: closeLedgerHours,
} satisfies AnyFeature;
