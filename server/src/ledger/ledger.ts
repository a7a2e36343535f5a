import type { AnyFeature } from '../platform/feature/feature.ts';
import { type LedgerContext, registerLedgerRoutes } from './ledger.routes.ts';
import { closeLedgerHours } from './ledger.service.ts';

/** The ledger feature: double-entry postings and their comparison with the gateways' books. */
export const ledger = {
  routes: (server, context: LedgerContext) => registerLedgerRoutes(server, context),
  maintain: closeLedgerHours,
} satisfies AnyFeature;
