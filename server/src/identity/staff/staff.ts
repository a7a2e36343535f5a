import type { Config } from '../../platform/config/config.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerStaffRoutes } from './staff.routes.ts';

type RouteContext = { config: Config; keyring: Keyring; tokens: TokenAuthentication };

/** The operator's people, who log in with accounts of their own. */
export const staff = {
  routes: (server, { config, keyring, tokens }: RouteContext) =>
    registerStaffRoutes(server, { mail: { config, keyring }, tokens }),
} satisfies AnyFeature;
