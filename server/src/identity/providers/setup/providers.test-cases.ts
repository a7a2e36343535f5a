import type { Named, RouteCases } from '../../../../test/battery/battery.ts';
import { PAGES } from '../../../../test/battery/cases/query-values.ts';
import { providerBody, putProvider } from '../../../../test/identity/providers.ts';
import { SYSTEM_ROLES } from '../../../platform/permissions.ts';

const PROVIDER: Named = {
  table: 'sign_in_providers',
  make: async (service) => putProvider(service),
  isName: true,
};

export const CASES: RouteCases = {
  'GET /operator/sign-in-providers': { access: 'operator', parameters: PAGES },
  'PUT /operator/sign-in-providers/:name': {
    access: 'operator',
    body: ({ admin }) => ({
      ...providerBody({ issuer: 'https://login.example.org', clientId: 'another' }),
      emailDomains: ['example.com'],
      companyId: admin.companyId,
      roleId: SYSTEM_ROLES['Support agent'].id,
    }),
    names: PROVIDER,
    // The path names the new one, so parallel requests would create only one.
    limit: { testedIn: 'server/src/identity/providers/setup/providers.test.ts' },
  },
  'DELETE /operator/sign-in-providers/:name': { access: 'operator', names: PROVIDER },
};
