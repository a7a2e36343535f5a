import type { AnyFeature } from '../../platform/feature/feature.ts';
import { companyEvents } from '../companies/companies.events.ts';
import { registerCompanyProfileRoutes } from './company.routes.ts';

/** The company feature: what a company tells about itself, and the events of companies. */
export const company = {
  routes: (server) => registerCompanyProfileRoutes(server),
  events: companyEvents.declarations,
} satisfies AnyFeature;
