import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerCustomerSessionRoutes } from './customer-sessions.routes.ts';
import { deleteExpiredSessions } from './customer-sessions.worker.queries.ts';

type RouteContext = { config: Config; db: Db; keyring: Keyring; tokens: TokenAuthentication };

/** Sessions of the customers of the operator's product, who have no account here. */
export const customerSessions = {
  routes: (server, { config, db, keyring, tokens }: RouteContext) =>
    registerCustomerSessionRoutes(server, { db, keyring, settings: config, forget: tokens.forget }),
  removeOld: [deleteExpiredSessions],
} satisfies AnyFeature;
