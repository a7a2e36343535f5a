import type { AnyFeature } from '../../platform/feature/feature.ts';
import { disputeEvents } from './disputes.events.ts';
import { registerDisputeRoutes } from './disputes.routes.ts';

/** What cardholders want back through their banks. */
export const disputes = {
  routes: registerDisputeRoutes,
  events: disputeEvents.declarations,
} satisfies AnyFeature;
