import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Recheck } from '../roles/roles.service.ts';
import { registerSettingRoutes } from './settings.routes.ts';

/** The settings feature: how the members of a company sign in. */
export const companySettings = {
  routes: (server, { tokens }: { tokens: { recheck: Recheck } }) => registerSettingRoutes(server, tokens.recheck),
} satisfies AnyFeature;
