import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerPasskeyRoutes } from './passkeys.routes.ts';
import { removeExpiredChallenges } from './passkeys.worker.queries.ts';
import { relyingPartyOf } from './webauthn.ts';

type RouteContext = { config: Config; db: Db; keyring: Keyring; tokens: TokenAuthentication };

/** The passkeys feature: WebAuthn credentials of users. */
export const passkeys = {
  routes: (server, { config, db, keyring, tokens }: RouteContext) =>
    registerPasskeyRoutes(server, {
      db,
      keyring,
      mail: { config, keyring },
      relyingParty: relyingPartyOf(config),
      forgetUser: tokens.forgetUser,
    }),
  removeOld: [removeExpiredChallenges],
} satisfies AnyFeature;
