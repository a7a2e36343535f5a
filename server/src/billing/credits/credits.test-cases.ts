import type { RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';

export const CASES: RouteCases = {
  'POST /operator/companies/:company_id/credits': {
    access: 'operator',
    body: () => ({ amount: '25.00', currency: 'USD', reason: 'Goodwill' }),
    names: COMPANY,
    longTexts: { reason: 2_000 },
  },
  'GET /operator/companies/:company_id/credits': { access: 'operator', names: COMPANY, parameters: PAGES },
};
