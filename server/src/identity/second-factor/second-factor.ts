import type { Clock } from '../../platform/calendar/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerSecondFactorRoutes } from './second-factor.routes.ts';

type RouteContext = { db: Db; keyring: Keyring; clock: Clock; tokens: TokenAuthentication };

/** The second-factor feature: TOTP and recovery codes. */
export const secondFactor = {
  routes: (server, { db, keyring, clock, tokens }: RouteContext) =>
    registerSecondFactorRoutes(server, { db, keyring, clock, forgetUser: tokens.forgetUser }),
} satisfies AnyFeature;
