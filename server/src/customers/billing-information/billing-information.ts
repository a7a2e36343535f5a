import type { AnyFeature } from '../../platform/feature/feature.ts';
import { billingInformationEvents } from './billing-information.events.ts';
import { registerBillingInformationRoutes } from './billing-information.routes.ts';

/** What stands on the invoices of a company about itself. */
export const billingInformation = {
  routes: registerBillingInformationRoutes,
  events: billingInformationEvents.declarations,
} satisfies AnyFeature;
