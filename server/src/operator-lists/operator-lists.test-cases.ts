import type { RouteCases } from '../../test/battery/battery.ts';
import { PAYMENT } from '../../test/battery/cases/named.ts';
import {
  AMOUNT,
  ANY_ID,
  CURRENCY,
  ID,
  INSTANT,
  METHOD,
  PAGES,
  type Parameter,
} from '../../test/battery/cases/query-values.ts';

/** What the three lists have in common. */
const FILTERS = {
  companyId: ANY_ID,
  invoiceId: ANY_ID,
  from: INSTANT,
  to: INSTANT,
  currency: CURRENCY,
  min: AMOUNT,
  max: AMOUNT,
};

const OF_PAYMENTS: Record<string, Parameter> = {
  ...FILTERS,
  status: {
    takes: ['Processing', 'Succeeded', 'Failed', 'NeedsReview', 'failed', 'needsreview'],
    refuses: ['', 'x', 'captured', 'Succeeded,Failed', '%', 'null', "Failed'"],
  },
  method: METHOD,
};

const OF_REFUNDS: Record<string, Parameter> = {
  ...FILTERS,
  paymentId: ANY_ID,
  status: {
    takes: ['Processing', 'Succeeded', 'Failed', 'NeedsReview', 'failed'],
    refuses: ['', 'x', 'Paid', 'Succeeded,Failed', '%', 'null', "Failed'"],
  },
};

const OF_CREDIT_NOTES: Record<string, Parameter> = {
  ...FILTERS,
  number: {
    takes: ['CN-000001', 'cn-000001', 'CN-1'],
    refuses: ['', 'x', '1', 'CN-', 'CN-x', ID, "CN-1'", '%', `CN-${'1'.repeat(19)}`],
  },
};

export const CASES: RouteCases = {
  'GET /operator/payments': { access: 'operator', parameters: { ...PAGES, ...OF_PAYMENTS } },
  'GET /operator/payments.csv': { access: 'operator', parameters: OF_PAYMENTS },
  'GET /operator/payments/:payment_id': { access: 'operator', names: PAYMENT },
  'GET /operator/refunds': { access: 'operator', parameters: { ...PAGES, ...OF_REFUNDS } },
  'GET /operator/refunds.csv': { access: 'operator', parameters: OF_REFUNDS },
  'GET /operator/credit-notes': { access: 'operator', parameters: { ...PAGES, ...OF_CREDIT_NOTES } },
  'GET /operator/credit-notes.csv': { access: 'operator', parameters: OF_CREDIT_NOTES },
};
