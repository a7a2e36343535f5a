import type { RouteCases } from '../../test/battery/battery.ts';
import { ANY_ID, CURSOR, PAGE_SIZE, type Parameter, TIME } from '../../test/battery/cases/query-values.ts';

const ACCOUNT: Parameter = { takes: ['receivable', 'cash:sandbox'], refuses: ['', 'a'.repeat(256)] };
const FILTERS = { companyId: ANY_ID, account: ACCOUNT, invoiceId: ANY_ID, sourceId: ANY_ID, from: TIME, to: TIME };

const PERIOD = {
  gateway: { takes: ['sandbox'], refuses: ['', 'x', "sandbox'"] },
  from: { takes: ['2026-10-01T00:00:00Z'], refuses: TIME.refuses },
  to: { takes: ['2026-11-01T00:00:00Z'], refuses: TIME.refuses },
};

export const CASES: RouteCases = {
  'GET /operator/ledger': { access: 'operator', parameters: { ...FILTERS, perPage: PAGE_SIZE, cursor: CURSOR } },
  'GET /operator/ledger.csv': { access: 'operator', parameters: FILTERS },
  'GET /operator/ledger/balances.csv': { access: 'operator', parameters: { companyId: ANY_ID, to: TIME } },
  'GET /operator/ledger/balances': { access: 'operator', parameters: { companyId: ANY_ID, to: TIME } },
  'GET /operator/reconciliation': {
    access: 'operator',
    query: 'from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z',
    parameters: { ...PERIOD, cursor: CURSOR },
  },
  'GET /operator/reconciliation.csv': {
    access: 'operator',
    query: 'from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z',
    parameters: PERIOD,
  },
};
