import type { RouteCases } from '../../../../test/battery/battery.ts';
import { INVOICE } from '../../../../test/battery/cases/named.ts';
import { PAGES } from '../../../../test/battery/cases/query-values.ts';

export const CASES: RouteCases = {
  'POST /operator/invoices/:invoice_id/credit-notes': {
    access: 'operator',
    body: () => ({ details: [{ title: 'Failed requests', amount: '1.00' }], reason: 'Outage' }),
    names: INVOICE,
    longTexts: { reason: 2_000 },
  },
  'GET /operator/invoices/:invoice_id/credit-notes': { access: 'operator', names: INVOICE, parameters: PAGES },
  'GET /payments/orders/:invoice_id/credit-notes': {
    access: 'platform.billing.view',
    names: INVOICE,
    parameters: PAGES,
  },
  'POST /operator/invoices/:invoice_id/void': { access: 'operator', names: INVOICE },
};
