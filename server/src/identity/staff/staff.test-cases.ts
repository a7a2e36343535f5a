import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';
import { newEmail } from '../../../test/customers/accounts.ts';
import { inviteStaff } from '../../../test/identity/staff.ts';

const STAFF: Named = { table: 'staff_invitations', make: async (service) => (await inviteStaff(service)).id };

export const CASES: RouteCases = {
  'GET /operator/staff': { access: 'operator', parameters: PAGES },
  'POST /operator/staff': {
    access: 'operator',
    sampleRefusal: /^409 /,
    body: () => ({ email: newEmail(), role: 'viewer' }),
    limit: {
      table: 'staff_invitations',
      most: 1_000,
      own: { email_key: 'gen_random_uuid()', token_hash: 'gen_random_uuid()' },
      owner: 'nobody',
    },
  },
  'PUT /operator/staff/:staff_id': { access: 'operator', body: () => ({ role: 'finance' }), names: STAFF },
  'POST /operator/staff/:staff_id/resend': { access: 'operator', names: STAFF },
  'DELETE /operator/staff/:staff_id': { access: 'operator', names: STAFF },
};
