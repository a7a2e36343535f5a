import type { RouteCases } from '../../../test/battery/battery.ts';
import { invoiceBody } from '../../../test/customers/actors.ts';

export const CASES: RouteCases = {
  'POST /operator/invoices': {
    access: 'operator',
    sampleRefusal: /^400 companyId /,
    body: ({ admin }) => invoiceBody(admin.companyId, { method: 'Card', taxRate: '20', metadata: null }),
  },
};
