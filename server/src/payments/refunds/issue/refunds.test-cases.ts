import type { RouteCases } from '../../../../test/battery/battery.ts';
import { PAYMENT } from '../../../../test/battery/cases/named.ts';
import { PAGES } from '../../../../test/battery/cases/query-values.ts';

export const CASES: RouteCases = {
  'POST /operator/payments/:payment_id/refunds': {
    access: 'operator',
    body: () => ({ amount: '1.00', reason: 'Outage' }),
    names: PAYMENT,
    longTexts: { reason: 2_000 },
  },
  'GET /operator/payments/:payment_id/refunds': { access: 'operator', names: PAYMENT, parameters: PAGES },
};
