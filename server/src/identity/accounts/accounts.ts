import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { PasswordCost } from '../passwords/password.ts';
import { accountEvents } from './accounts.events.ts';
import { registerAccountRoutes } from './accounts.routes.ts';

type RouteContext = { config: Config; db: Db; keyring: Keyring; passwordCost: PasswordCost };

/** The accounts feature: sign-up. */
export const accounts = {
  routes: (server, { config, db, keyring, passwordCost }: RouteContext) =>
    registerAccountRoutes(server, {
      db,
      keyring,
      settings: config,
      limits: config,
      mail: { config, keyring },
      passwordCost,
    }),
  events: accountEvents.declarations,
} satisfies AnyFeature;
