import type { AnyFeature } from '../platform/feature/feature.ts';
import { alertEvents } from './alerts.events.ts';
import { addAlertMetrics } from './alerts.metrics.ts';
import { removeOldAlerts } from './alerts.operator.queries.ts';
import { registerAlertRoutes } from './alerts.routes.ts';

/** The alerts feature. */
export const alerts = {
  routes: registerAlertRoutes,
  events: alertEvents.declarations,
  removeOld: [removeOldAlerts],
  metrics: addAlertMetrics,
} satisfies AnyFeature;
