import type { AnyFeature } from '../../../platform/feature/feature.ts';
import { registerAcceptedRoutes } from './accepted.routes.ts';

/** Second captures of a debt, which a person accepts as credit. */
export const accepted = { routes: registerAcceptedRoutes } satisfies AnyFeature;
