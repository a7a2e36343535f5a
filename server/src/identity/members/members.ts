import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { registerMemberRoutes } from './members.routes.ts';

/** The members feature: who belongs to a company. */
export const members = {
  routes: (server, { tokens }: { tokens: TokenAuthentication }) => registerMemberRoutes(server, tokens),
} satisfies AnyFeature;
