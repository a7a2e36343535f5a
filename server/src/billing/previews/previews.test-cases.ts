import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';

const body = () => ({ period: '2020-01' });

const BILLING_PREVIEW: Named = {
  table: 'billing_previews',
  make: async (service) => {
    const request = { token: service.operatorKey, body: body() };
    return (await service.call('POST', '/operator/billing-previews', request)).body.id;
  },
};

export const CASES: RouteCases = {
  'POST /operator/billing-previews': { access: 'operator', body },
  'GET /operator/billing-previews/:preview_id': { access: 'operator', names: BILLING_PREVIEW },
  'GET /operator/billing-previews/:preview_id/invoices': {
    access: 'operator',
    names: BILLING_PREVIEW,
    parameters: {
      ...PAGES,
      outlier: { takes: ['higher', 'lower', 'gone', 'any'], refuses: ['', 'x', 'true', 'Higher', 'higher,lower'] },
      currency: { takes: ['USD', 'EUR'], refuses: ['', 'usd', 'XXX1', 'null', "USD'"] },
    },
  },
};
