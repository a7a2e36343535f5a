import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';
import { signUpAdmin } from '../../../test/customers/actors.ts';

/** A company of its own, so that no other case finds its company disabled. */
const OTHER_COMPANY: Named = {
  table: 'companies',
  make: async (service) => (await signUpAdmin(service)).companyId,
};

export const CASES: RouteCases = {
  'GET /operator/companies': {
    access: 'operator',
    parameters: {
      ...PAGES,
      email: { takes: ['ada@example.com', 'x', '%', "'"], refuses: ['a'.repeat(256), 'a'.repeat(10_000)] },
    },
  },
  'PUT /operator/companies/:company_id': {
    access: 'operator',
    body: () => ({ disabled: false }),
    update: () => ({ disabled: true }),
    names: OTHER_COMPANY,
  },
};
