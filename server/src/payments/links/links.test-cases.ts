import type { RouteCases } from '../../../test/battery/battery.ts';
import { INVOICE } from '../../../test/battery/cases/named.ts';

export const CASES: RouteCases = {
  'GET /payments/orders/:invoice_id/link': { access: 'platform.billing.view', names: INVOICE },
  'POST /payments/orders/:invoice_id/link': { access: 'platform.billing.all', names: INVOICE },
  'DELETE /payments/orders/:invoice_id/link': { access: 'platform.billing.all', names: INVOICE },
  'GET /operator/invoices/:invoice_id/link': { access: 'operator', names: INVOICE },
  'POST /operator/invoices/:invoice_id/link': { access: 'operator', names: INVOICE },
  'DELETE /operator/invoices/:invoice_id/link': { access: 'operator', names: INVOICE },
};
