import type { RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';
import { openView } from '../../../test/identity/operator-sessions.ts';

export const CASES: RouteCases = {
  'POST /auth/operator': {
    access: 'public',
    query: 'session=console',
    // The battery is no page of the service.
    refusal: { status: 403, code: 'origin_not_allowed' },
    sampleRefusal: /^403 /,
    body: ({ service }) => ({ key: service.operatorKey }),
    parameters: { session: { takes: ['console'], refuses: ['', 'x', 'cookie', 'customer', 'view', 'Console'] } },
    longTexts: { key: 2_000 },
  },
  'POST /operator/companies/:company_id/views': { access: 'operator', names: COMPANY },
  'DELETE /operator/companies/:company_id/views': {
    access: 'operator',
    names: COMPANY,
    prepare: async ({ service, admin }) => void (await openView(service, admin.companyId)),
  },
};
