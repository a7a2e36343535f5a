import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';
import { addItem, itemBody } from '../../../test/billing/items.ts';

const ITEM: Named = {
  table: 'items',
  make: async (service, { companyId }) => (await addItem(service, companyId)).id,
};

export const CASES: RouteCases = {
  'POST /operator/companies/:company_id/items': {
    access: 'operator',
    body: () => itemBody({ currency: 'USD', taxRate: '20', invoice: 'next' }),
    names: COMPANY,
    limit: { table: 'items', most: 1_000 },
  },
  'GET /operator/companies/:company_id/items': {
    access: 'operator',
    names: COMPANY,
    parameters: {
      ...PAGES,
      state: { takes: ['pending', 'invoiced'], refuses: ['', 'x', 'Pending', 'pending,invoiced'] },
    },
  },
  'DELETE /operator/companies/:company_id/items/:item_id': {
    access: 'operator',
    names: ITEM,
    within: ({ admin }) => [admin.companyId],
  },
};
