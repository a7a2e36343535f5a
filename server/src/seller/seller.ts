import type { AnyFeature } from '../platform/feature/feature.ts';
import { registerSellerRoutes } from './seller.routes.ts';

/** The seller feature: who issues the invoices. */
export const seller = {
  routes: registerSellerRoutes,
} satisfies AnyFeature;
