import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerBillingSettingsRoutes } from './companies.settings.routes.ts';

/** The billing settings of companies. */
export const billingSettings = { routes: registerBillingSettingsRoutes } satisfies AnyFeature;
