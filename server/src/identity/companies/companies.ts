import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCompanyRoutes } from './companies.routes.ts';
import type { RecheckCompany } from './companies.service.ts';

/** The companies of the service for the operator, with the e-mail addresses of their users, and what disables them. */
export const companies = {
  routes: (server, { recheckCompany }: { recheckCompany: RecheckCompany }) =>
    registerCompanyRoutes(server, recheckCompany),
} satisfies AnyFeature;
