import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerApiKeyRoutes } from './api-keys.routes.ts';
import type { ApiKeys } from './api-keys.service.ts';

/** The API keys of companies. */
export const apiKeys = {
  routes: (server, { apiKeys }: { apiKeys: ApiKeys }) => registerApiKeyRoutes(server, apiKeys),
} satisfies AnyFeature;
