import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCompanyRoutes } from './companies.routes.ts';

/** The companies of the service for the operator. */
export const companies = {
  routes: registerCompanyRoutes,
} satisfies AnyFeature;
