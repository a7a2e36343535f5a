import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { SNAKE_PAGES } from '../../../test/battery/cases/query-values.ts';
import { createApiKey, fullKeyBody } from '../../../test/identity/api-keys.ts';

const API_KEY: Named = {
  table: 'api_keys',
  make: async (service, actor) => (await createApiKey(service, actor)).id,
};

export const CASES: RouteCases = {
  'GET /company/api-keys': { access: 'platform.applications.view', parameters: SNAKE_PAGES },
  'POST /company/api-keys': {
    access: 'platform.applications.all',
    body: () => fullKeyBody(),
    limit: { table: 'api_keys', most: 10_000, own: { key_hash: 'gen_random_uuid()' } },
  },
  'DELETE /company/api-keys/:api_key_id': { access: 'platform.applications.all', names: API_KEY },
};
