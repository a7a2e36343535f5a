import type { RouteCases } from '../../../../test/battery/battery.ts';
import { PAGES } from '../../../../test/battery/cases/query-values.ts';
import { namedEvent } from '../../../../test/billing/unattributed.ts';
import { reportUsage } from '../../../../test/billing/usage.ts';

export const CASES: RouteCases = {
  'GET /operator/usage/unattributed': { access: 'operator', parameters: PAGES },
  'DELETE /operator/usage/unattributed': {
    access: 'operator',
    query: 'externalId=battery',
    prepare: async ({ service }) => {
      await reportUsage(service, [namedEvent('battery')]);
    },
    sampleRefusal: /^404/,
    parameters: {
      externalId: {
        // Each value is sent without usage that waits for it.
        takes: [],
        refuses: ['', ' ', 'a'.repeat(256), 'a\u0080b', '4242424242424242'],
      },
    },
  },
};
