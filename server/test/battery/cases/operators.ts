import { signUpAdmin } from '../../customers/actors.ts';
import type { TestService } from '../../harness/service.ts';
import { createKey } from '../../identity/operator-keys.ts';

const KEY = { table: 'operator_keys', make: async (service: TestService) => (await createKey(service)).id };

/** A company of its own, so that no other case finds its company disabled. */
const COMPANY = { table: 'companies', make: async (service: TestService) => (await signUpAdmin(service)).companyId };

/** The battery's cases for the operator's people. */
export const OPERATOR_CASES = {
  'PUT /operator/companies/:company_id': {
    access: 'operator' as const,
    body: () => ({ disabled: false }),
    update: () => ({ disabled: true }),
    names: COMPANY,
  },
  'GET /operator/keys': { access: 'operator' as const },
  'POST /operator/keys': {
    access: 'operator' as const,
    body: () => ({ name: 'Anything', role: 'viewer', expiresAt: '2099-01-01T00:00:00Z' }),
  },
  'DELETE /operator/keys/:key_id': { access: 'operator' as const, names: KEY },
};
