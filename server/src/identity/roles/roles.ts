import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerRoleRoutes } from './roles.routes.ts';
import type { Recheck } from './roles.service.ts';

/** The roles feature: what the members of a company may do. */
export const roles = {
  routes: (server, { tokens }: { tokens: { recheck: Recheck } }) => registerRoleRoutes(server, tokens.recheck),
} satisfies AnyFeature;
