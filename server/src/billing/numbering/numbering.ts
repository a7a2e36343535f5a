import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerNumberingRoutes } from './numbering.routes.ts';

/** The series of document numbers. */
export const numbering = {
  routes: registerNumberingRoutes,
} satisfies AnyFeature;
