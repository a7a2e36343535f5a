import type { RouteCases } from '../../../test/battery/battery.ts';
import { ANY_ID, CURRENCY, INSTANT, PAGES } from '../../../test/battery/cases/query-values.ts';

const FILTERS = {
  companyId: ANY_ID,
  currency: CURRENCY,
  from: INSTANT,
  to: INSTANT,
  status: { takes: ['NeedsResponse', 'Lost'], refuses: ['', 'x', 'lost', 'Won,Lost', 'null', "Won'"] },
};

export const CASES: RouteCases = {
  'GET /operator/disputes': { access: 'operator', parameters: { ...PAGES, ...FILTERS } },
  'GET /operator/disputes.csv': { access: 'operator', parameters: FILTERS },
};
