import type { RouteCases } from '../../../test/battery/battery.ts';
import { PAYMENT } from '../../../test/battery/cases/named.ts';

export const CASES: RouteCases = {
  'POST /operator/payments/:payment_id/resolve': {
    access: 'operator',
    body: () => ({ outcome: 'succeeded' }),
    names: PAYMENT,
    changesNothing: 'the payment is no longer under review',
  },
};
