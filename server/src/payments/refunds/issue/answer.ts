import { formatAmount } from '../../../platform/money/money.ts';
import type { Refund, RefundState } from './refund.ts';
import type { RefundAnswer } from './refunds.schema.ts';

const STATUS_OF: Record<RefundState, RefundAnswer['status']> = {
  created: 'Processing',
  unknown: 'Processing',
  needs_review: 'NeedsReview',
  succeeded: 'Succeeded',
  failed: 'Failed',
};

/** Describes the refund as the API returns it. */
export function describeRefund(refund: Refund): RefundAnswer {
  const { id, companyId, paymentId, invoiceId, creditNoteId, currency, reason, source, createdAt, updatedAt } = refund;
  const write = (minor: bigint) => formatAmount(minor, currency);
  return {
    id,
    companyId,
    paymentId,
    invoiceId,
    creditNoteId,
    amount: write(refund.amountMinor + refund.creditMinor),
    cardAmount: write(refund.amountMinor),
    creditAmount: write(refund.creditMinor),
    currency,
    reason,
    source,
    status: STATUS_OF[refund.state],
    createdAt,
    updatedAt,
  };
}
