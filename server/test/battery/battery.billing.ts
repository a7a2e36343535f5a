import { addItem, itemBody } from '../billing/items.ts';
import { createPrice, endPriceBody, priceBody } from '../billing/prices.ts';
import type { Actor } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

const access = 'operator' as const;

const PRICE = {
  table: 'prices',
  make: async (service: TestService, { companyId }: Actor): Promise<string> =>
    (await createPrice(service, { companyId })).id,
};

const BILLING_RUN = {
  table: 'billing_runs',
  make: async (service: TestService): Promise<string> =>
    (await service.call('POST', '/operator/billing-runs', { token: service.operatorKey, body: billingRunBody() })).body
      .id,
};

const BILLING_PREVIEW = {
  table: 'billing_previews',
  make: async (service: TestService): Promise<string> => {
    const request = { token: service.operatorKey, body: billingRunBody() };
    return (await service.call('POST', '/operator/billing-previews', request)).body.id;
  },
};

const COMPANY = {
  table: 'companies',
  make: async (_service: TestService, { companyId }: Actor): Promise<string> => companyId,
};

const ITEM = {
  table: 'items',
  make: async (service: TestService, { companyId }: Actor): Promise<string> => (await addItem(service, companyId)).id,
};

/** The battery's cases for prices, billing runs and upcoming invoices. */
export const BILLING_CASES = {
  'POST /operator/prices': {
    access,
    body: ({ admin }: { admin: Actor }) => priceBody({ companyId: admin.companyId }),
  },
  'GET /operator/prices': { access },
  'GET /operator/prices/:price_id': { access, names: PRICE },
  'POST /operator/prices/:price_id/end': { access, body: endPriceBody, names: PRICE },
  'DELETE /operator/prices/:price_id': { access, names: PRICE },

  'POST /operator/billing-runs': { access, body: billingRunBody },
  'GET /operator/billing-runs': { access },
  'GET /operator/billing-runs/:billing_run_id': { access, names: BILLING_RUN },

  'POST /operator/billing-previews': { access, body: billingRunBody },
  'GET /operator/billing-previews/:preview_id': { access, names: BILLING_PREVIEW },
  'GET /operator/billing-previews/:preview_id/invoices': { access, names: BILLING_PREVIEW },

  'POST /operator/companies/:company_id/items': {
    access,
    body: () => itemBody({ currency: 'USD', taxRate: '20', invoice: 'next' }),
    names: COMPANY,
  },
  'GET /operator/companies/:company_id/items': { access, names: COMPANY },
  'DELETE /operator/companies/:company_id/items/:item_id': {
    access,
    names: ITEM,
    within: ({ admin }: { admin: Actor }) => [admin.companyId],
  },

  'GET /payments/upcoming-invoice': { access: 'platform.billing.view' as const },
  'GET /operator/companies/:company_id/upcoming-invoice': { access, names: COMPANY },
};

function billingRunBody(): object {
  return { period: '2020-01' };
}
