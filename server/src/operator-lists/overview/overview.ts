import type { AnyFeature } from '../../platform/feature/feature.ts';
import { type OverviewContext, registerOperatorOverviewRoutes } from './overview.routes.ts';

/** What the console's home page shows. */
export const operatorOverview = {
  routes: (server, context: OverviewContext) => registerOperatorOverviewRoutes(server, context),
} satisfies AnyFeature;
