import type { Config } from '../../platform/config/config.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { registerEmailRoutes } from './email.routes.ts';
import { removeExpiredTokens } from './email.worker.queries.ts';

type RouteContext = { config: Config; keyring: Keyring };

/** The e-mail feature: users show that they can read the address of their account. */
export const email = {
  routes: (server, { config, keyring }: RouteContext) => registerEmailRoutes(server, { config, keyring }),
  removeOld: [removeExpiredTokens],
} satisfies AnyFeature;
