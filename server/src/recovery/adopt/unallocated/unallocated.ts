import type { AnyFeature } from '../../../platform/feature/feature.ts';
import { registerUnallocatedRoutes } from './unallocated.routes.ts';

/** Captures that no invoice here gets, and that a person refunds. */
export const unallocated = { routes: registerUnallocatedRoutes } satisfies AnyFeature;
