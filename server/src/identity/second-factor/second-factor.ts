import type { Clock } from '../../platform/calendar/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerSecondFactorRoutes } from './second-factor.routes.ts';

type RouteContext = { config: Config; db: Db; keyring: Keyring; clock: Clock; tokens: TokenAuthentication };

/** The second-factor feature: TOTP and recovery codes. */
export const secondFactor = {
  routes: (server, { config, db, keyring, clock, tokens }: RouteContext) =>
    registerSecondFactorRoutes(server, {
      db,
      keyring,
      clock,
      mail: { config, keyring },
      forgetUser: tokens.forgetUser,
    }),
} satisfies AnyFeature;
