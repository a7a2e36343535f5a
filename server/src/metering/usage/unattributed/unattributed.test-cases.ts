import type { RouteCases } from '../../../../test/battery/battery.ts';
import { PAGES } from '../../../../test/battery/cases/query-values.ts';

export const CASES: RouteCases = {
  'GET /operator/usage/unattributed': { access: 'operator', parameters: PAGES },
  'DELETE /operator/usage/unattributed': {
    access: 'operator',
    query: 'externalId=nobody',
    sampleRefusal: /^404/,
    parameters: {
      externalId: {
        takes: ['nobody', 'a/b', '%', "'", 'external:nobody'],
        refuses: ['', ' ', 'a'.repeat(256), 'a\u0080b', '4242424242424242'],
      },
    },
  },
};
