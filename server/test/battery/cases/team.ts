import { SYSTEM_ROLES } from '../../../src/platform/permissions.ts';
import { newEmail, signUpBody } from '../../customers/accounts.ts';
import type { Actor } from '../../customers/actors.ts';
import type { TestService } from '../../harness/service.ts';
import { createApiKey, fullKeyBody } from '../../identity/api-keys.ts';
import { addMember, createRole, invite, roleBody } from '../../identity/roles.ts';

const ROLE = {
  table: 'roles',
  make: async (service: TestService, actor: Actor): Promise<string> =>
    (await createRole(service, actor, { permission: SYSTEM_ROLES.Customer.permission })).id,
};

const MEMBER = {
  table: 'users',
  make: async (service: TestService, actor: Actor): Promise<string> =>
    (await addMember(service, actor, 'Viewer')).userId,
};

const API_KEY = {
  table: 'api_keys',
  make: async (service: TestService, actor: Actor): Promise<string> => (await createApiKey(service, actor)).id,
};

const INVITATION = {
  table: 'invitations',
  make: async (service: TestService, actor: Actor): Promise<string> => (await invite(service, actor)).id,
};

/** The battery's cases for a company's team and its API keys. */
export const TEAM_CASES = {
  'GET /company': { access: 'member' as const },
  'PUT /company': {
    access: 'platform.admins.all' as const,
    body: () => ({
      name: 'Analytical Engines Ltd',
      phone: '+44 20 7946 0000',
      address: '12 St James’s Square',
      describe: 'Engines that compute',
      email: 'office@example.com',
    }),
  },
  'GET /company/settings': { access: 'platform.admins.view' as const },
  'PUT /company/settings': {
    access: 'platform.admins.all' as const,
    body: () => ({ require_second_factor: false, sign_in: 'password', break_glass_member_id: null }),
    update: ({ admin }: { admin: Actor }) => ({ break_glass_member_id: admin.userId }),
    fixed: ['require_second_factor', 'sign_in'],
  },
  'GET /company/members': { access: 'platform.admins.view' as const },
  'PUT /company/members/:member_id': {
    access: 'platform.admins.all' as const,
    body: () => ({ role_id: SYSTEM_ROLES['Support agent'].id }),
    names: MEMBER,
  },
  'DELETE /company/members/:member_id': { access: 'platform.admins.all' as const, names: MEMBER },
  'DELETE /company/members/:member_id/sessions': { access: 'platform.admins.all' as const, names: MEMBER },
  'GET /company/invitations': { access: 'platform.admins.view' as const },
  'POST /company/invitations': {
    access: 'platform.admins.all' as const,
    body: () => ({ email: newEmail(), role_id: SYSTEM_ROLES.Viewer.id }),
  },
  'POST /company/invitations/:invitation_id/resend': { access: 'platform.admins.all' as const, names: INVITATION },
  'DELETE /company/invitations/:invitation_id': { access: 'platform.admins.all' as const, names: INVITATION },
  'GET /auth/invitations/:token': { access: 'public' as const },
  'POST /auth/invitations/accept': {
    access: 'public' as const,
    body: () => {
      const { email: _email, ...names } = signUpBody();
      return { token: 'a'.repeat(43), ...names };
    },
    refusal: { status: 400, code: 'invalid_token' },
  },
  // Of a provider that there is not.
  'GET /auth/oidc/:name/start': { access: 'public' as const, refusal: { status: 404, code: 'not_found' } },
  'GET /auth/oidc/:name/callback': {
    access: 'public' as const,
    refusal: { status: 404, code: 'not_found' },
    takesAnyQuery: true as const,
  },
  'GET /company/roles': { access: 'platform.roles.view' as const },
  'POST /company/roles': { access: 'platform.roles.all' as const, body: () => roleBody() },
  'GET /company/roles/:role_id': { access: 'platform.roles.view' as const, names: ROLE },
  'PUT /company/roles/:role_id': {
    access: 'platform.roles.all' as const,
    body: () => roleBody(),
    update: () => roleBody({ description: 'Something else', permission: SYSTEM_ROLES.Admin.permission }),
    names: ROLE,
  },
  'DELETE /company/roles/:role_id': { access: 'platform.roles.all' as const, names: ROLE },
  'GET /company/api-keys': { access: 'platform.applications.view' as const },
  'POST /company/api-keys': { access: 'platform.applications.all' as const, body: () => fullKeyBody() },
  'DELETE /company/api-keys/:api_key_id': { access: 'platform.applications.all' as const, names: API_KEY },
};
