import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCompanyRoutes } from './companies.routes.ts';
import type { RecheckCompany } from './companies.service.ts';

/** The companies feature: companies and their billing settings. */
export const companies = {
  routes: (server, { recheckCompany }: { recheckCompany: RecheckCompany }) =>
    registerCompanyRoutes(server, recheckCompany),
} satisfies AnyFeature;
