import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { SNAKE_PAGES } from '../../../test/battery/cases/query-values.ts';
import { newEmail } from '../../../test/customers/accounts.ts';
import { invite } from '../../../test/identity/roles.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';

const INVITATION: Named = {
  table: 'invitations',
  make: async (service, actor) => (await invite(service, actor)).id,
};

export const CASES: RouteCases = {
  'GET /company/invitations': { access: 'platform.admins.view', parameters: SNAKE_PAGES },
  'POST /company/invitations': {
    access: 'platform.admins.all',
    body: () => ({ email: newEmail(), role_id: SYSTEM_ROLES.Viewer.id }),
    limit: {
      table: 'invitations',
      most: 1_000,
      own: { email_key: 'gen_random_uuid()', token_hash: 'gen_random_uuid()' },
    },
  },
  'POST /company/invitations/:invitation_id/resend': { access: 'platform.admins.all', names: INVITATION },
  'DELETE /company/invitations/:invitation_id': { access: 'platform.admins.all', names: INVITATION },
};
