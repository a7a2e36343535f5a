import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { SNAKE_PAGES } from '../../../test/battery/cases/query-values.ts';
import { addMember } from '../../../test/identity/roles.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';

const MEMBER: Named = {
  table: 'users',
  make: async (service, actor) => (await addMember(service, actor, 'Viewer')).userId,
};

export const CASES: RouteCases = {
  'GET /company/members': { access: 'platform.admins.view', parameters: SNAKE_PAGES },
  'PUT /company/members/:member_id': {
    access: 'platform.admins.all',
    body: () => ({ role_id: SYSTEM_ROLES['Support agent'].id }),
    names: MEMBER,
  },
  'DELETE /company/members/:member_id': { access: 'platform.admins.all', names: MEMBER },
  'DELETE /company/members/:member_id/sessions': { access: 'platform.admins.all', names: MEMBER },
};
