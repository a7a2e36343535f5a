import type { RouteCases } from '../../../test/battery/battery.ts';
import { ANY_ID, PAGES } from '../../../test/battery/cases/query-values.ts';

export const CASES: RouteCases = {
  'GET /operator/disputes': {
    access: 'operator',
    parameters: {
      ...PAGES,
      companyId: ANY_ID,
      status: { takes: ['NeedsResponse', 'Lost'], refuses: ['', 'x', 'lost', 'Won,Lost', 'null', "Won'"] },
    },
  },
};
