import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerProfileRoutes } from './profile.routes.ts';

/** The profile feature: what a user sees and changes of the own account. */
export const profile = { routes: registerProfileRoutes } satisfies AnyFeature;
