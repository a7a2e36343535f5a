import type { AnyFeature } from '../feature.ts';
import { registerSellerRoutes } from './seller.routes.ts';

/** Who issues the invoices. */
export const seller = {
  routes: registerSellerRoutes,
} satisfies AnyFeature;
