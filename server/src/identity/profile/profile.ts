import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { forgetDeletedUsers } from './deletion.ts';
import { registerProfileRoutes } from './profile.routes.ts';

type RouteContext = { db: Db; keyring: Keyring; tokens: TokenAuthentication };

/** The profile feature: what a user sees and changes of the own account, and its deletion. */
export const profile = {
  routes: (server, { db, keyring, tokens }: RouteContext) =>
    registerProfileRoutes(server, { db, keyring, forgetUser: tokens.forgetUser }),
  removeOld: [forgetDeletedUsers],
} satisfies AnyFeature;
