import type { RouteCases } from '../../../test/battery/battery.ts';

export const CASES: RouteCases = {
  'GET /company': { access: 'member' },
  'PUT /company': {
    access: 'platform.admins.all',
    body: () => ({
      name: 'Analytical Engines Ltd',
      phone: '+44 20 7946 0000',
      address: '12 St James’s Square',
      describe: 'Engines that compute',
      email: 'office@example.com',
    }),
  },
};
