import type { Config } from '../config.ts';
import type { Db } from '../database/database.ts';
import type { AnyFeature } from '../feature.ts';
import type { Keyring } from '../keys/keys.ts';
import type { TokenAuthentication } from './accounts.authentication.ts';
import { accountEvents } from './accounts.events.ts';
import type { PasswordCost } from './accounts.password.ts';
import { registerAccountRoutes } from './accounts.routes.ts';
import { removeExpiredAccess } from './accounts.service.ts';

type RouteContext = {
  config: Config;
  db: Db;
  keyring: Keyring;
  tokens: TokenAuthentication;
  passwordCost: PasswordCost;
};

/** Accounts: sign-up, login and logout. */
export const accounts = {
  routes: (server, { config, db, keyring, tokens, passwordCost }: RouteContext) =>
    registerAccountRoutes(server, { db, keyring, tokens: config, limits: config, passwordCost }, tokens),
  events: accountEvents.declarations,
  removeOld: [removeExpiredAccess],
} satisfies AnyFeature;
