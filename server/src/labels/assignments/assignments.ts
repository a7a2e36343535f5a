import type { AnyFeature } from '../../platform/feature/feature.ts';
import { assignmentEvents } from './assignments.events.ts';
import { registerAssignmentRoutes } from './assignments.routes.ts';

/** Labels on agents, tickets and customers. */
export const labelAssignments = {
  routes: registerAssignmentRoutes,
  events: assignmentEvents.declarations,
} satisfies AnyFeature;
