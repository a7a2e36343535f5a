import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerEventRoutes } from './events.routes.ts';
import { removeOldEvents } from './events.service.ts';

/** The events feature: the operator's list of events. */
export const events = {
  routes: registerEventRoutes,
  removeOld: [removeOldEvents],
} satisfies AnyFeature;
