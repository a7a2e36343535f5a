import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { PasswordCost } from '../passwords/password.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerAcceptanceRoutes } from './acceptance/acceptance.routes.ts';
import { registerInvitationRoutes } from './invitations.routes.ts';
import { deleteExpiredInvitations } from './invitations.worker.queries.ts';

type RouteContext = {
  config: Config;
  db: Db;
  keyring: Keyring;
  tokens: TokenAuthentication;
  passwordCost: PasswordCost;
};

/** The invitations feature: how others join a company. */
export const invitations = {
  routes: (server, { config, db, keyring, tokens: { forgetUser }, passwordCost }: RouteContext) => {
    const mail = { config, keyring };
    registerInvitationRoutes(server, mail);
    registerAcceptanceRoutes(server, { db, keyring, settings: config, limits: config, mail, passwordCost, forgetUser });
  },
  removeOld: [deleteExpiredInvitations],
} satisfies AnyFeature;
