import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerPriceRoutes } from './prices.routes.ts';

/** Prices of usage. */
export const prices = {
  routes: registerPriceRoutes,
} satisfies AnyFeature;
