import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerLinkRoutes } from './links/links.routes.ts';
import { registerProviderRoutes } from './setup/providers.routes.ts';
import { createConversations } from './sign-in/conversation.ts';
import { registerSignInRoutes } from './sign-in/sign-in.routes.ts';
import { removeExpiredStates } from './sign-in/sign-in.worker.queries.ts';

type RouteContext = { config: Config; db: Db; keyring: Keyring; tokens: TokenAuthentication };

/** Single sign-on: the providers, and signing in with one. */
export const signInProviders = {
  routes: (server, { config, db, keyring, tokens: { forgetUser } }: RouteContext) => {
    const { signInAllowedHosts: allowedHosts, signInTimeoutMs: timeoutMs } = config;
    const conversations = createConversations({ allowedHosts, timeoutMs });
    registerProviderRoutes(server, { settings: config, keyring });
    registerLinkRoutes(server, { db, keyring, settings: config });
    registerSignInRoutes(server, { db, keyring, settings: config, limits: config, conversations, forgetUser });
  },
  removeOld: [removeExpiredStates],
} satisfies AnyFeature;
