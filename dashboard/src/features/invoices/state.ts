import type { InvoiceWithPayment, PaymentAttempt } from '@paydesk/client';

export type StateName =
  | 'due'
  | 'overdue'
  | 'paid'
  | 'failed'
  | 'void'
  | 'credited'
  | 'findingOut'
  | 'debit'
  | 'confirm'
  | 'review';

/** What a badge says of an invoice, and how loud. */
export const STATE_TONES = {
  due: 'info',
  overdue: 'warning',
  paid: 'success',
  failed: 'danger',
  void: 'neutral',
  credited: 'neutral',
  findingOut: 'info',
  debit: 'info',
  confirm: 'warning',
  review: 'warning',
} as const satisfies Record<StateName, string>;

type Facts = Pick<InvoiceWithPayment, 'state' | 'status' | 'dueAt'> & {
  payment?: Pick<PaymentAttempt, 'status' | 'card'> | null;
};

/** The one word for where an invoice is. The outcome of its charge says more than that it is open. */
export function stateOf({ state, status, dueAt, payment }: Facts, nowMs: number): StateName {
  if (state !== 'open') return state;
  if (payment?.status === 'Processing') return payment.card?.brand === 'sepa_debit' ? 'debit' : 'findingOut';
  if (payment?.status === 'RequiresAction') return 'confirm';
  if (payment?.status === 'NeedsReview') return 'review';
  if (status === 'Failed') return 'failed';
  return Date.parse(dueAt) <= nowMs ? 'overdue' : 'due';
}
