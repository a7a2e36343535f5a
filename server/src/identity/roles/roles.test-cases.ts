import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { SNAKE_PAGES } from '../../../test/battery/cases/query-values.ts';
import { createRole, roleBody } from '../../../test/identity/roles.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';

const ROLE: Named = {
  table: 'roles',
  make: async (service, actor) =>
    (await createRole(service, actor, { permission: SYSTEM_ROLES.Customer.permission })).id,
};

export const CASES: RouteCases = {
  'GET /company/roles': { access: 'platform.roles.view', parameters: SNAKE_PAGES },
  'POST /company/roles': {
    access: 'platform.roles.all',
    body: () => roleBody(),
    limit: { table: 'roles', most: 1_000, own: { name: 'gen_random_uuid()' } },
  },
  'GET /company/roles/:role_id': { access: 'platform.roles.view', names: ROLE },
  'PUT /company/roles/:role_id': {
    access: 'platform.roles.all',
    sampleRefusal: /^409 .*this name/,
    body: () => roleBody(),
    update: () => roleBody({ description: 'Something else', permission: SYSTEM_ROLES.Admin.permission }),
    names: ROLE,
  },
  'DELETE /company/roles/:role_id': { access: 'platform.roles.all', names: ROLE },
};
