import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';
import { expectStatus } from '../../../test/customers/actors.ts';

const body = () => ({ path: '/v1/*', quantity: '100000' });
const limit = { table: 'usage_thresholds', most: 20 };

const THRESHOLD: Named = {
  table: 'usage_thresholds',
  make: async (service, { token }) =>
    expectStatus(await service.call('POST', '/payments/usage-thresholds', { token, body: body() }), 201).body.id,
};

export const CASES: RouteCases = {
  'GET /payments/usage-thresholds': { access: 'platform.billing.view' },
  'POST /payments/usage-thresholds': { access: 'platform.billing.all', body, limit },
  'DELETE /payments/usage-thresholds/:threshold_id': { access: 'platform.billing.all', names: THRESHOLD },
  'GET /operator/companies/:company_id/usage-thresholds': { access: 'operator', names: COMPANY },
  'POST /operator/companies/:company_id/usage-thresholds': { access: 'operator', body, names: COMPANY, limit },
  'DELETE /operator/usage-thresholds/:threshold_id': { access: 'operator', names: THRESHOLD },
};
