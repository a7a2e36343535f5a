import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerReleaseRoutes } from './release.routes.ts';

/** Invoices that wait for a person after a restore. */
export const release = { routes: registerReleaseRoutes } satisfies AnyFeature;
