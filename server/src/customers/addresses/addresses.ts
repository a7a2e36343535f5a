import type { AnyFeature } from '../../platform/feature/feature.ts';
import { addressEvents } from './addresses.events.ts';
import { registerAddressRoutes } from './addresses.routes.ts';

/** The addresses feature. */
export const addresses = {
  routes: registerAddressRoutes,
  events: addressEvents.declarations,
} satisfies AnyFeature;
