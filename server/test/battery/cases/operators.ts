import { SYSTEM_ROLES } from '../../../src/platform/permissions.ts';
import { type Actor, signUpAdmin } from '../../customers/actors.ts';
import type { TestService } from '../../harness/service.ts';
import { createKey } from '../../identity/operator-keys.ts';
import { providerBody, putProvider } from '../../identity/providers.ts';
import { inviteStaff } from '../../identity/staff.ts';

const KEY = { table: 'operator_keys', make: async (service: TestService) => (await createKey(service)).id };

/** A company of its own, so that no other case finds its company disabled. */
const COMPANY = { table: 'companies', make: async (service: TestService) => (await signUpAdmin(service)).companyId };

const STAFF = { table: 'staff_invitations', make: async (service: TestService) => (await inviteStaff(service)).id };

const PROVIDER = {
  table: 'sign_in_providers',
  make: async (service: TestService) => putProvider(service),
  isName: true as const,
};

/** The battery's cases for the operator's people. */
export const OPERATOR_CASES = {
  'PUT /operator/companies/:company_id': {
    access: 'operator' as const,
    body: () => ({ disabled: false }),
    update: () => ({ disabled: true }),
    names: COMPANY,
  },
  'GET /operator/staff': { access: 'operator' as const },
  'POST /operator/staff': {
    access: 'operator' as const,
    body: () => ({ email: `${crypto.randomUUID()}@example.com`, role: 'viewer' }),
  },
  'PUT /operator/staff/:staff_id': {
    access: 'operator' as const,
    body: () => ({ role: 'finance' }),
    names: STAFF,
  },
  'POST /operator/staff/:staff_id/resend': { access: 'operator' as const, names: STAFF },
  'DELETE /operator/staff/:staff_id': { access: 'operator' as const, names: STAFF },
  'GET /operator/sign-in-providers': { access: 'operator' as const },
  'PUT /operator/sign-in-providers/:name': {
    access: 'operator' as const,
    body: ({ admin }: { admin: Actor }) => ({
      ...providerBody({ issuer: 'https://login.example.org', clientId: 'another' }),
      emailDomains: ['example.com'],
      companyId: admin.companyId,
      roleId: SYSTEM_ROLES['Support agent'].id,
    }),
    names: PROVIDER,
  },
  'DELETE /operator/sign-in-providers/:name': { access: 'operator' as const, names: PROVIDER },
  'GET /operator/keys': { access: 'operator' as const },
  'POST /operator/keys': {
    access: 'operator' as const,
    body: () => ({ name: 'Anything', role: 'viewer', expiresAt: '2099-01-01T00:00:00Z' }),
  },
  'DELETE /operator/keys/:key_id': { access: 'operator' as const, names: KEY },
};
