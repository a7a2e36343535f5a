import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCompanyProfileRoutes } from './company.routes.ts';

/** The company feature: what a company tells about itself. */
export const company = {
  routes: (server) => registerCompanyProfileRoutes(server),
} satisfies AnyFeature;
