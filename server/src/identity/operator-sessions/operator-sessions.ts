import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerOperatorSessionRoutes } from './operator-sessions.routes.ts';
import { deleteExpiredSessions } from './operator-sessions.worker.queries.ts';

type RouteContext = { config: Config; db: Db; keyring: Keyring; tokens: TokenAuthentication };

/** Sessions of operator keys in the console, and views of companies. */
export const operatorSessions = {
  routes: (server, { config, db, keyring, tokens }: RouteContext) =>
    registerOperatorSessionRoutes(server, { db, keyring, settings: config, forget: tokens.forget }),
  removeOld: [deleteExpiredSessions],
} satisfies AnyFeature;
