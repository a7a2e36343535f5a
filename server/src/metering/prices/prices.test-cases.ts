import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { ANY_ID, CURRENCY, INSTANT, PAGES } from '../../../test/battery/cases/query-values.ts';
import { createPrice, endPriceBody, priceBody } from '../../../test/billing/prices.ts';

const PRICE: Named = {
  table: 'prices',
  make: async (service, { companyId }) => (await createPrice(service, { companyId })).id,
};

/** A price that has begun. */
const PRICE_IN_FORCE: Named = {
  table: 'prices',
  make: async (service, { companyId }) =>
    (await createPrice(service, { companyId, effectiveFrom: '2020-01-01T00:00:00Z' })).id,
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
  'GET /operator/prices/quote': {
    access: 'operator',
    query: 'path=/v1/transcriptions&quantity=12345&currency=USD',
    parameters: {
      path: { takes: ['/v1/transcriptions', 'x', '%', "'"], refuses: ['', ' ', 'a'.repeat(256)] },
      quantity: { takes: ['0', '12345', '999999999999999'], refuses: ['', 'x', '-1', '1.5', '1e3', '1'.repeat(16)] },
      currency: CURRENCY,
      companyId: ANY_ID,
      at: INSTANT,
    },
  },
  'GET /operator/prices/:price_id': { access: 'operator', names: PRICE },
  'POST /operator/prices/:price_id/end': { access: 'operator', body: endPriceBody, names: PRICE_IN_FORCE },
  'DELETE /operator/prices/:price_id': { access: 'operator', names: PRICE },
};
