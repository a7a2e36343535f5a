import { type Actor, expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

const body = () => ({ path: '/v1/*', quantity: '100000' });

const THRESHOLD = {
  table: 'usage_thresholds',
  make: async (service: TestService, { token }: Actor): Promise<string> =>
    expectStatus(await service.call('POST', '/payments/usage-thresholds', { token, body: body() }), 201).body.id,
};

const COMPANY = {
  table: 'companies',
  make: async (_service: TestService, { companyId }: Actor): Promise<string> => companyId,
};

/** The battery's cases for usage thresholds. */
export const THRESHOLD_CASES = {
  'GET /payments/usage-thresholds': { access: 'platform.billing.view' as const },
  'POST /payments/usage-thresholds': { access: 'platform.billing.all' as const, body },
  'DELETE /payments/usage-thresholds/:threshold_id': { access: 'platform.billing.all' as const, names: THRESHOLD },
  'GET /operator/companies/:company_id/usage-thresholds': { access: 'operator' as const, names: COMPANY },
  'POST /operator/companies/:company_id/usage-thresholds': { access: 'operator' as const, body, names: COMPANY },
  'DELETE /operator/usage-thresholds/:threshold_id': { access: 'operator' as const, names: THRESHOLD },
};
