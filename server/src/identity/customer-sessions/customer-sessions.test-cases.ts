import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';
import { openSession, sessionBody } from '../../../test/identity/customer-sessions.ts';

/** A session of the actor's company. */
const SESSION: Named = {
  table: 'customer_sessions',
  make: async (service, { companyId }) => (await openSession(service, companyId)).id,
};

export const CASES: RouteCases = {
  'POST /auth/session': {
    access: 'public',
    sampleRefusal: /^401 /,
    refusal: { status: 401, code: 'session_code_invalid' },
    body: () => ({ code: 'pXkq3U0cV1tq7p6h1yQ0m8u4eL2nW9rZb5sJdGfAoTc' }),
    parameters: { session: { takes: ['customer'], refuses: ['', 'x', 'cookie', 'console', 'Customer'] } },
    longTexts: { code: 2_000 },
  },
  'POST /operator/companies/:company_id/sessions': {
    access: 'operator',
    sampleRefusal: /^400 .*origin/,
    body: () => sessionBody(),
    names: COMPANY,
    longTexts: { returnUrl: 2_000 },
  },
  'GET /operator/companies/:company_id/sessions': { access: 'operator', names: COMPANY, parameters: PAGES },
  'DELETE /operator/companies/:company_id/sessions/:session_id': {
    access: 'operator',
    names: SESSION,
    within: ({ admin }) => [admin.companyId],
  },
};
