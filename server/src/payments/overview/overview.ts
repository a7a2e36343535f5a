import type { Clock } from '../../platform/calendar/clock.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerOverviewRoutes } from './overview.routes.ts';

/** What a company's home page shows. */
export const overview = {
  routes: (server, { clock }: { clock: Clock }) => registerOverviewRoutes(server, clock),
} satisfies AnyFeature;
