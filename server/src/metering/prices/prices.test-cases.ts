import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { ANY_ID, CURRENCY, INSTANT, PAGES } from '../../../test/battery/cases/query-values.ts';
import { createPrice, endPriceBody, priceBody } from '../../../test/billing/prices.ts';

const PRICE: Named = {
  table: 'prices',
  make: async (service, { companyId }) => (await createPrice(service, { companyId })).id,
};

export const CASES: RouteCases = {
  'POST /operator/prices': {
    access: 'operator',
    body: ({ admin }) => priceBody({ companyId: admin.companyId }),
  },
  'GET /operator/prices': {
    access: 'operator',
    parameters: {
      ...PAGES,
      path: { takes: ['/v1/transcriptions', '/v1/*', 'x', '%', "'"], refuses: ['', ' ', 'a'.repeat(256)] },
      currency: CURRENCY,
      companyId: {
        takes: [...ANY_ID.takes, 'general'],
        refuses: ANY_ID.refuses,
      },
      at: INSTANT,
    },
  },
  'GET /operator/prices/:price_id': { access: 'operator', names: PRICE },
  'POST /operator/prices/:price_id/end': { access: 'operator', body: endPriceBody, names: PRICE },
  'DELETE /operator/prices/:price_id': { access: 'operator', names: PRICE },
};
