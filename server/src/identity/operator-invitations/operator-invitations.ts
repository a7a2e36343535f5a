import type { Config } from '../../platform/config/config.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { registerOperatorInvitationRoutes } from './operator-invitations.routes.ts';

/** The operator's invitations to companies. */
export const operatorInvitations = {
  routes: (server, { config, keyring }: { config: Config; keyring: Keyring }) =>
    registerOperatorInvitationRoutes(server, { config, keyring }),
} satisfies AnyFeature;
