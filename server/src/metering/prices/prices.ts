import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerPriceRoutes } from './prices.routes.ts';

/** The prices feature: what usage costs. */
export const prices = {
  routes: registerPriceRoutes,
} satisfies AnyFeature;
