import type { AnyFeature } from '../../platform/feature/feature.ts';
import { billingInformationEvents } from './billing-information.events.ts';
import { registerBillingInformationRoutes } from './billing-information.routes.ts';

/** The billing information feature: what a company's invoices say about it. */
export const billingInformation = {
  routes: registerBillingInformationRoutes,
  events: billingInformationEvents.declarations,
} satisfies AnyFeature;
