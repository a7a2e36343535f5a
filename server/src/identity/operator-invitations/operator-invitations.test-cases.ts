import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';
import { newEmail } from '../../../test/customers/accounts.ts';
import { invite } from '../../../test/identity/roles.ts';

const INVITATION: Named = {
  table: 'invitations',
  make: async (service, actor) => (await invite(service, actor)).id,
};
const within = ({ admin }: { admin: { companyId: string } }) => [admin.companyId];
const OF_COMPANY = '/operator/companies/:company_id/invitations';

export const CASES: RouteCases = {
  [`GET ${OF_COMPANY}`]: { access: 'operator', names: COMPANY, parameters: PAGES },
  [`POST ${OF_COMPANY}`]: {
    access: 'operator',
    names: COMPANY,
    body: () => ({ email: newEmail(), role: 'Viewer' }),
    // The example of the company's own invitation has the same address.
    sampleRefusal: /^409 .*open invitation/,
    limit: {
      table: 'invitations',
      most: 1_000,
      own: { email_key: 'gen_random_uuid()', token_hash: 'gen_random_uuid()' },
    },
  },
  [`POST ${OF_COMPANY}/:invitation_id/resend`]: { access: 'operator', names: INVITATION, within },
  [`DELETE ${OF_COMPANY}/:invitation_id`]: { access: 'operator', names: INVITATION, within },
};
