import type { Clock } from '../../../platform/calendar/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { AnyFeature } from '../../../platform/feature/feature.ts';
import type { Keyring } from '../../../platform/keys/keys.ts';
import { deleteExpiredGuards } from '../../checks/guard.public.queries.ts';
import { relyingPartyOf } from '../../passkeys/webauthn.ts';
import { registerLoginRoutes } from './login.routes.ts';
import { removeExpiredLoginTokens } from './login-tokens.worker.queries.ts';

type RouteContext = { config: Config; db: Db; keyring: Keyring; clock: Clock };

/** The login feature: by password and second factor, or by passkey. */
export const login = {
  routes: (server, { config, db, keyring, clock }: RouteContext) =>
    registerLoginRoutes(server, {
      db,
      keyring,
      clock,
      settings: config,
      limits: config,
      relyingParty: relyingPartyOf(config),
    }),
  removeOld: [deleteExpiredGuards, removeExpiredLoginTokens],
} satisfies AnyFeature;
