import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { PasswordCost } from '../passwords/password.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerPasswordRoutes } from './change.routes.ts';
import { startSendingForgotten } from './forgotten.ts';

type RouteContext = {
  config: Config;
  db: Db;
  keyring: Keyring;
  passwordCost: PasswordCost;
  tokens: TokenAuthentication;
};

/** The feature of changing passwords. */
export const passwordChange = {
  routes: (server, { config, db, keyring, passwordCost, tokens }: RouteContext) =>
    registerPasswordRoutes(server, { db, keyring, mail: { config, keyring }, passwordCost, ...tokens }),
  workers: ({ config, db, keyring, logger }: { config: Config; db: Db; keyring: Keyring; logger: Logger }) => [
    startSendingForgotten(db, { config, keyring }, (error) =>
      logger.warn({ err: error }, 'a link that resets a password could not be sent'),
    ),
  ],
} satisfies AnyFeature;
