import type { RouteCases } from '../../../test/battery/battery.ts';
import { INVOICE } from '../../../test/battery/cases/named.ts';

export const CASES: RouteCases = {
  'PUT /payments/orders/:invoice_id/pay': { access: 'platform.billing.all', names: INVOICE },
  'POST /operator/invoices/:invoice_id/charge': { access: 'operator', names: INVOICE },
};
