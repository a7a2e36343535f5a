import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import { disputeEvents } from './disputes.events.ts';
import { registerDisputeRoutes } from './disputes.routes.ts';

/** Disputes of payments. */
export const disputes = {
  routes: (server, { externalIds }: { externalIds: ExternalIds }) => registerDisputeRoutes(server, externalIds),
  events: disputeEvents.declarations,
} satisfies AnyFeature;
