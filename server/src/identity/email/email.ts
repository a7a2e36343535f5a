import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerEmailRoutes } from './email.routes.ts';
import { removeExpiredReverts, removeExpiredTokens } from './email.worker.queries.ts';

type RouteContext = { config: Config; db: Db; keyring: Keyring; tokens: TokenAuthentication };

/** The e-mail feature: users show that they can read the address of their account, and change it. */
export const email = {
  routes: (server, { config, db, keyring, tokens }: RouteContext) =>
    registerEmailRoutes(server, { db, keyring, mail: { config, keyring }, ...tokens }),
  removeOld: [removeExpiredTokens, removeExpiredReverts],
} satisfies AnyFeature;
