import type { RouteCases } from '../../../test/battery/battery.ts';
import {
  AMOUNT,
  ANY_ID,
  CURRENCY,
  ID,
  INSTANT,
  METHOD,
  PAGES,
  type Parameter,
} from '../../../test/battery/cases/query-values.ts';

const STATE: Parameter = {
  takes: ['open', 'overdue', 'paid', 'credited', 'void', 'OPEN', 'Overdue'],
  refuses: ['', 'x', 'Processing', 'open,paid', '%', 'null', "open'"],
};

const STATUS: Parameter = {
  takes: ['Processing', 'Succeeded', 'Failed', 'failed', 'SUCCEEDED'],
  refuses: ['', 'x', 'Paid', 'Succeeded,Failed', '%', 'null', "Failed'"],
};

const FILTERS: Record<string, Parameter> = {
  receipt: {
    takes: [ID, ID.toUpperCase(), 'INV-000001', 'inv-000001'],
    refuses: [
      ...['', 'x', '1', 'INV-', 'INV-x', ID.slice(1), `${ID}0`, `{${ID}}`, ID.replaceAll('-', '')],
      ...["' OR 1=1 --", '%'],
    ],
  },
  min: AMOUNT,
  max: AMOUNT,
  state: STATE,
  status: STATUS,
  method: METHOD,
  startAt: INSTANT,
  endAt: INSTANT,
  currency: CURRENCY,
};

const OPERATOR_FILTERS: Record<string, Parameter> = {
  companyId: ANY_ID,
  number: {
    takes: ['INV-000001', 'inv-000001', 'INV-1'],
    refuses: ['', 'x', '1', 'INV-', 'INV-x', ID, "INV-1'", '%', `INV-${'1'.repeat(19)}`],
  },
  state: STATE,
  status: STATUS,
  startAt: INSTANT,
  endAt: INSTANT,
  method: METHOD,
  currency: CURRENCY,
  min: AMOUNT,
  max: AMOUNT,
  from: INSTANT,
  to: INSTANT,
  runId: ANY_ID,
};

export const CASES: RouteCases = {
  'GET /payments/orders': { access: 'platform.billing.view', parameters: { ...PAGES, ...FILTERS } },
  'GET /payments/orders.csv': { access: 'platform.billing.view', parameters: FILTERS },
  'GET /operator/invoices': { access: 'operator', parameters: { ...PAGES, ...OPERATOR_FILTERS } },
  'GET /operator/invoices.csv': { access: 'operator', parameters: OPERATOR_FILTERS },
};
