import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCompanyRoutes } from './companies.routes.ts';

/** The companies feature: companies and their billing settings. */
export const companies = {
  routes: registerCompanyRoutes,
} satisfies AnyFeature;
