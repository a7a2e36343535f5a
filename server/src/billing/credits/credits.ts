import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCreditRoutes } from './credits.routes.ts';

/** Credit that pays invoices before a card does. */
export const credits = {
  routes: registerCreditRoutes,
} satisfies AnyFeature;
