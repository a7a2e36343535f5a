import { formatAmount } from '../../../platform/money/money.ts';
import type { RefundAnswer } from './refunds.schema.ts';

/**
 * A refund returns the money of a payment, wholly or in part. `created` and `unknown` have no outcome yet, `needs_review` waits for a
 * person, the others are final.
 */
export type RefundState = 'created' | 'unknown' | 'needs_review' | 'succeeded' | 'failed';

export type Refund = {
  companyId: string;
  id: string;
  paymentId: string;
  invoiceId: string;
  creditNoteId: string | null;
  gateway: string;
  /** The gateway's object of the payment; null when credit alone paid it. */
  gatewayPaymentId: string | null;
  /** What goes back to the card or account. */
  amountMinor: bigint;
  /** What becomes credit again. */
  creditMinor: bigint;
  currency: string;
  reason: string;
  /** Who refunded: the operator here, or somebody at the gateway. */
  source: 'operator' | 'gateway';
  state: RefundState;
  /** The operator's key. */
  idempotencyKey: string | null;
  /** How many scheduled checks the reconciler has made. The holder of a lease finds out by it whether the lease is still its own. */
  reconcileCount: number;
  createdAt: Date;
  updatedAt: Date;
};

/** A row as the database returns it, with text for amounts that a JavaScript number may not hold exactly. */
export type RefundRow = Omit<Refund, 'amountMinor' | 'creditMinor'> & { amountMinor: string; creditMinor: string };

/** Converts a row to a refund. */
export function toRefund(row: RefundRow): Refund {
  return { ...row, amountMinor: BigInt(row.amountMinor), creditMinor: BigInt(row.creditMinor) };
}

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
