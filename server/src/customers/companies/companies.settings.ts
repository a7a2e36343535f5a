import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { IsCurrencyInUse } from './companies.service.ts';
import { registerBillingSettingsRoutes } from './companies.settings.routes.ts';

/** The billing settings of companies. */
export const billingSettings = {
  routes: (server, { isCurrencyInUse }: { isCurrencyInUse: IsCurrencyInUse }) =>
    registerBillingSettingsRoutes(server, isCurrencyInUse),
} satisfies AnyFeature;
