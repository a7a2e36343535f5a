import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { ProviderSettings } from '../providers/setup/providers.service.ts';
import type { Recheck } from '../roles/roles.service.ts';
import { registerSettingRoutes } from './settings.routes.ts';

type RouteContext = { config: ProviderSettings; tokens: { recheck: Recheck } };

/** The settings feature: how the members of a company sign in. */
export const companySettings = {
  routes: (server, { config: providers, tokens: { recheck } }: RouteContext) =>
    registerSettingRoutes(server, { recheck, providers }),
} satisfies AnyFeature;
