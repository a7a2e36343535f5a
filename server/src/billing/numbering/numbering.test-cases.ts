import type { RouteCases } from '../../../test/battery/battery.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';

export const CASES: RouteCases = {
  'GET /operator/lost-numbers': { access: 'operator', parameters: PAGES },
  'GET /operator/numbering': { access: 'operator' },
  'PUT /operator/numbering': {
    access: 'operator',
    body: () => ({
      series: 'seller',
      invoicePrefix: 'INV-',
      creditNotePrefix: 'CN-',
      yearlyRestart: false,
      timezone: 'UTC',
    }),
    update: () => ({
      series: 'company',
      invoicePrefix: 'RE-',
      creditNotePrefix: 'GU-',
      yearlyRestart: true,
      timezone: 'Europe/Berlin',
    }),
  },
};
