import type { Named, RouteCases } from '../../../../test/battery/battery.ts';
import { PAYMENT } from '../../../../test/battery/cases/named.ts';
import { expectStatus } from '../../../../test/customers/actors.ts';
import { postRefund } from '../../../../test/payments/refunds.ts';

/** It succeeds at once, because it only returns credit. */
const REFUND: Named = {
  table: 'refunds',
  make: async (service, actor) => {
    const paymentId = await PAYMENT.make(service, actor);
    return expectStatus(await postRefund(service, { paymentId }, { amount: '1.00' }), 201).body.id;
  },
};

export const CASES: RouteCases = {
  'POST /operator/refunds/:refund_id/resolve': {
    access: 'operator',
    body: () => ({ outcome: 'succeeded' }),
    names: REFUND,
    changesNothing: 'the refund is no longer under review',
  },
};
