import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerIntegrationRoutes } from './integration.routes.ts';
import type { AllowedOrigins } from './integration.service.ts';

/** What the operator's product may do from its pages. */
export const integration = {
  routes: (server, { allowedOrigins }: { allowedOrigins: AllowedOrigins }) =>
    registerIntegrationRoutes(server, allowedOrigins),
} satisfies AnyFeature;
