import { lookAtWaiting } from '../charge/waiting.ts';
import type { Reconciler } from '../outcomes/reconciler.ts';
import { CONFIRMATION_QUEUE } from '../payment/payment.queries.ts';
import type { Payment, PaymentRow } from '../payment/payment.ts';

/** How the reconciler finds out whether the customer has confirmed a payment: it looks until the payment's time has passed. */
export const CONFIRMATIONS: Reconciler<PaymentRow, Payment> = {
  name: 'confirmation',
  queue: CONFIRMATION_QUEUE,
  everyMs: 500,
  checkDelaysSeconds: [5, 15, 60, 300, 900, 3_600],
  findOut: async (db, gateway, payment) => {
    const { kind } = await lookAtWaiting(db, gateway, payment);
    if (kind === 'waiting') return kind;
    return kind === 'unknown' ? 'undecided' : 'decided';
  },
  writeUnresolved: null,
  paymentIdOf: ({ id }) => id,
};
