import { COMPANY_MARK } from '../../customers/companies/companies.journaled.service.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCompanyRoutes } from './companies.routes.ts';

/** The companies of the service for the operator. */
export const companies = {
  routes: registerCompanyRoutes,
  journaled: { company: COMPANY_MARK },
} satisfies AnyFeature;
