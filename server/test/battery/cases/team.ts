import { SYSTEM_ROLES } from '../../../src/platform/permissions.ts';
import type { Actor } from '../../customers/actors.ts';
import type { TestService } from '../../harness/service.ts';
import { createRole, roleBody } from '../../identity/roles.ts';

const ROLE = {
  table: 'roles',
  make: async (service: TestService, actor: Actor): Promise<string> =>
    (await createRole(service, actor, { permission: SYSTEM_ROLES.Customer.permission })).id,
};

/** The battery's cases for a company's team. */
export const TEAM_CASES = {
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
};
