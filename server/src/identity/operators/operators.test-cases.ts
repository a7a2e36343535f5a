import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';
import { createKey } from '../../../test/identity/operator-keys.ts';

const KEY: Named = { table: 'operator_keys', make: async (service) => (await createKey(service)).id };

export const CASES: RouteCases = {
  'GET /operator/keys': { access: 'operator', parameters: PAGES },
  'POST /operator/keys': {
    access: 'operator',
    body: () => ({ name: 'Anything', role: 'viewer', expiresAt: '2099-01-01T00:00:00Z' }),
    limit: {
      table: 'operator_keys',
      most: 1_000,
      own: { key_hash: 'gen_random_uuid()', is_first: 'false' },
      owner: 'nobody',
    },
  },
  'DELETE /operator/keys/:key_id': { access: 'operator', names: KEY },
};
