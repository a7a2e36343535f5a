import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { TokenAuthentication } from './authentication.ts';
import { registerSessionRoutes } from './sessions.routes.ts';
import type { OtherTokens } from './sessions.service.ts';
import { deleteExpiredSessions } from './sessions.worker.queries.ts';

type RouteContext = {
  config: Config;
  db: Db;
  keyring: Keyring;
  tokens: TokenAuthentication;
  otherTokens: readonly OtherTokens[];
};

/** The sessions feature: refresh, logout, the list of sessions. */
export const sessions = {
  routes: (server, { config, db, keyring, tokens, otherTokens }: RouteContext) =>
    registerSessionRoutes(server, { db, keyring, settings: config, forget: tokens.forget, otherTokens }),
  removeOld: [deleteExpiredSessions],
} satisfies AnyFeature;
