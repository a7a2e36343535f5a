import type { RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';

const OF_COMPANY = { access: 'operator', names: COMPANY } as const;

export const CASES: RouteCases = {
  'GET /operator/companies/:company_id/members': { ...OF_COMPANY, parameters: PAGES },
  'GET /operator/companies/:company_id/api-keys': { ...OF_COMPANY, parameters: PAGES },
  'GET /operator/companies/:company_id/webhook-endpoints': OF_COMPANY,
  'GET /operator/companies/:company_id/addresses': OF_COMPANY,
  'GET /operator/companies/:company_id/cards': OF_COMPANY,
  'GET /operator/companies/:company_id/paypal-accounts': OF_COMPANY,
};
