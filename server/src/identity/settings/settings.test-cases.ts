import type { RouteCases } from '../../../test/battery/battery.ts';

export const CASES: RouteCases = {
  'GET /company/settings': { access: 'platform.admins.view' },
  'PUT /company/settings': {
    access: 'platform.admins.all',
    body: () => ({ require_second_factor: false, sign_in: 'password', break_glass_member_id: null }),
    update: ({ admin }) => ({ break_glass_member_id: admin.userId }),
    fixed: ['require_second_factor', 'sign_in'],
  },
};
