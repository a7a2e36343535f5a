import type { AnyFeature } from '../platform/feature/feature.ts';
import { labelEvents } from './labels.events.ts';
import { registerLabelRoutes } from './labels.routes.ts';

/** The labels feature. */
export const labels = {
  routes: registerLabelRoutes,
  events: labelEvents.declarations,
} satisfies AnyFeature;
