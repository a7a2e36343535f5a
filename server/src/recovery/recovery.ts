import type { ChargesHold } from '../continuity/hold/charges-hold.service.ts';
import type { Db } from '../platform/database/database.ts';
import type { AnyFeature } from '../platform/feature/feature.ts';
import type { Metrics } from '../platform/http/metrics/metrics.ts';
import { holdEvents } from './hold/hold.events.ts';
import { registerRecoveryRoutes } from './recovery.routes.ts';

/** A database that went back to an earlier state. */
export const recovery = {
  routes: registerRecoveryRoutes,
  events: holdEvents.declarations,
  metrics: (metrics: Metrics, _db: Db, { chargesHold }: { chargesHold: ChargesHold }) =>
    metrics.addGauge('paydesk_charges_held', 'Whether charges are held: 1 or 0.', () =>
      chargesHold.current() === null ? 0 : 1,
    ),
} satisfies AnyFeature;
