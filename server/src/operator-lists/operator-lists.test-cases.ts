import type { RouteCases } from '../../test/battery/battery.ts';
import { PAYMENT } from '../../test/battery/cases/named.ts';
import { AMOUNT, ANY_ID, CURRENCY, ID, INSTANT, METHOD, PAGES } from '../../test/battery/cases/query-values.ts';

/** What the three lists have in common. */
const FILTERS = {
  ...PAGES,
  companyId: ANY_ID,
  invoiceId: ANY_ID,
  from: INSTANT,
  to: INSTANT,
  currency: CURRENCY,
  min: AMOUNT,
  max: AMOUNT,
};

export const CASES: RouteCases = {
  'GET /operator/payments': {
    access: 'operator',
    parameters: {
      ...FILTERS,
      status: {
        takes: ['Processing', 'Succeeded', 'Failed', 'NeedsReview', 'failed', 'needsreview'],
        refuses: ['', 'x', 'captured', 'Succeeded,Failed', '%', 'null', "Failed'"],
      },
      method: METHOD,
    },
  },
  'GET /operator/payments/:payment_id': { access: 'operator', names: PAYMENT },
  'GET /operator/refunds': {
    access: 'operator',
    parameters: {
      ...FILTERS,
      paymentId: ANY_ID,
      status: {
        takes: ['Processing', 'Succeeded', 'Failed', 'NeedsReview', 'failed'],
        refuses: ['', 'x', 'Paid', 'Succeeded,Failed', '%', 'null', "Failed'"],
      },
    },
  },
  'GET /operator/credit-notes': {
    access: 'operator',
    parameters: {
      ...FILTERS,
      number: {
        takes: ['CN-000001', 'cn-000001', 'CN-1'],
        refuses: ['', 'x', '1', 'CN-', 'CN-x', ID, "CN-1'", '%', `CN-${'1'.repeat(19)}`],
      },
    },
  },
};
