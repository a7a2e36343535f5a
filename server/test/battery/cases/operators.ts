import type { TestService } from '../../harness/service.ts';
import { createKey } from '../../identity/operator-keys.ts';

const KEY = { table: 'operator_keys', make: async (service: TestService) => (await createKey(service)).id };

/** The battery's cases for the operator's people. */
export const OPERATOR_CASES = {
  'GET /operator/keys': { access: 'operator' as const },
  'POST /operator/keys': {
    access: 'operator' as const,
    body: () => ({ name: 'Anything', role: 'viewer', expiresAt: '2099-01-01T00:00:00Z' }),
  },
  'DELETE /operator/keys/:key_id': { access: 'operator' as const, names: KEY },
};
