import type { RouteCases } from '../../../test/battery/battery.ts';
import { INVOICE } from '../../../test/battery/cases/named.ts';

export const CASES: RouteCases = {
  'GET /payments/orders/:invoice_id': { access: 'platform.billing.view', names: INVOICE },
  'GET /operator/invoices/:invoice_id': { access: 'operator', names: INVOICE },
};
