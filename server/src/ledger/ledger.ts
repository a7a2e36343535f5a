import type { Gateways } from '../gateways/gateways.ts';
import type { Db } from '../platform/database/database.ts';
import type { AnyFeature } from '../platform/feature/feature.ts';
import { registerLedgerRoutes } from './ledger.routes.ts';
import { closeLedgerHours } from './ledger.service.ts';

/** The ledger feature: double-entry postings and their comparison with the gateways' books. */
export const ledger = {
  routes: (server, { db, gateways }: { db: Db; gateways: Gateways }) => registerLedgerRoutes(server, { db, gateways }),
  maintain: closeLedgerHours,
} satisfies AnyFeature;
