import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';
import { PAGES, type Parameter } from '../../../test/battery/cases/query-values.ts';
import { invoicesOf, runMonth, use } from '../../../test/billing/billing.ts';
import type { Actor } from '../../../test/customers/actors.ts';
import type { TestService } from '../../../test/harness/service.ts';

const body = () => ({ period: '2020-01' });

const BILLING_RUN: Named = {
  table: 'billing_runs',
  make: async (service) =>
    (await service.call('POST', '/operator/billing-runs', { token: service.operatorKey, body: body() })).body.id,
};

/** An invoice of a billing run, in a month that no other case uses. */
const BILLED_INVOICE: Named = { table: 'invoices', make: billNextMonth };

/** The months are long ago, so that their runs come before all others. */
let billedMonths = 0;

async function billNextMonth(service: TestService, actor: Actor): Promise<string> {
  const month = new Date(Date.UTC(2010, billedMonths, 1)).toISOString();
  billedMonths += 1;
  await use(service, actor, '/v1/billed', 1, month);
  await runMonth(service, month.slice(0, 7));
  const invoices = await invoicesOf(service, actor);
  return invoices.find(({ startAt }: { startAt: string }) => startAt === month).id;
}

const PERIOD: Parameter = {
  takes: ['2026-01', '2000-01'],
  refuses: ['', 'x', '2026', '2026-1', '2026-13', '2026-00', '1999-12', '2026-01-01', 'null', '9998-12', "2026-01'"],
};

export const CASES: RouteCases = {
  'POST /operator/billing-runs': { access: 'operator', body },
  'GET /operator/billing-runs': { access: 'operator', parameters: PAGES },
  'GET /operator/billing-runs/:billing_run_id': { access: 'operator', names: BILLING_RUN },
  'GET /payments/upcoming-invoice': { access: 'platform.billing.view', parameters: { period: PERIOD } },
  'GET /operator/companies/:company_id/upcoming-invoice': {
    access: 'operator',
    names: COMPANY,
    parameters: { period: PERIOD },
  },
  'POST /operator/invoices/:invoice_id/recompute': { access: 'operator', names: BILLED_INVOICE },
};
