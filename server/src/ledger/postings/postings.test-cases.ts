import type { RouteCases } from '../../../test/battery/battery.ts';
import { INVOICE } from '../../../test/battery/cases/named.ts';

export const CASES: RouteCases = {
  'GET /operator/invoices/:invoice_id/postings': {
    access: 'operator',
    names: INVOICE,
    query: 'of=credit_note&amount=1',
    parameters: {
      of: { takes: ['credit_note'], refuses: ['', 'x', 'void,refund', 'VOID'] },
      amount: { takes: ['1', '1.50', '0.01'], refuses: ['', '0', '-1', 'x', '1e3', '1,5'] },
    },
  },
};
