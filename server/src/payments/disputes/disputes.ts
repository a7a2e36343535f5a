import type { AnyFeature } from '../../platform/feature/feature.ts';
import { disputeEvents } from './disputes.events.ts';
import { registerDisputeRoutes } from './disputes.routes.ts';

/** Disputes of payments. */
export const disputes = {
  routes: registerDisputeRoutes,
  events: disputeEvents.declarations,
} satisfies AnyFeature;
