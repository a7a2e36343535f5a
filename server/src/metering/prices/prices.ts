import type { Clock } from '../../platform/calendar/clock.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerPriceRoutes } from './prices.routes.ts';
import type { FindBilledWithUsage } from './prices.service.ts';

/** The prices feature: what usage costs. */
export const prices = {
  routes: (server, context: { clock: Clock; findBilledWithUsage: FindBilledWithUsage }) =>
    registerPriceRoutes(server, context),
} satisfies AnyFeature;
