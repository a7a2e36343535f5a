import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { PasswordCost } from '../passwords/password.ts';
import type { TokenAuthentication } from './accounts.authentication.ts';
import { accountEvents } from './accounts.events.ts';
import { registerAccountRoutes } from './accounts.routes.ts';
import { removeExpiredAccess } from './accounts.service.ts';

type RouteContext = {
  config: Config;
  db: Db;
  keyring: Keyring;
  tokens: TokenAuthentication;
  passwordCost: PasswordCost;
};

/** The accounts feature: sign-up, login and logout. */
export const accounts = {
  routes: (server, { config, db, keyring, tokens, passwordCost }: RouteContext) =>
    registerAccountRoutes(server, { db, keyring, tokens: config, limits: config, passwordCost }, tokens),
  events: accountEvents.declarations,
  removeOld: [removeExpiredAccess],
} satisfies AnyFeature;
