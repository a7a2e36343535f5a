/** A refund gives back what a payment took, wholly or in part. `created` and `unknown` wait for an outcome; all else has ended. */
export type RefundState = 'created' | 'unknown' | 'needs_review' | 'succeeded' | 'failed';

export type Refund = {
  companyId: string;
  id: string;
  paymentId: string;
  invoiceId: string;
  creditNoteId: string | null;
  gateway: string;
  /** The gateway's object of the payment; null when it was paid with credit alone. */
  gatewayPaymentId: string | null;
  /** What goes back to the card. */
  amountMinor: bigint;
  /** What becomes credit again. */
  creditMinor: bigint;
  currency: string;
  reason: string;
  /** Who gave it back: the operator here, or somebody at the gateway. */
  source: 'operator' | 'gateway';
  state: RefundState;
  /** The operator's. */
  idempotencyKey: string | null;
  /** How often the reconciler has had its turn. Whoever holds a lease knows by it whether it is still theirs. */
  reconcileCount: number;
  createdAt: Date;
  updatedAt: Date;
};

/** As the database answers: an amount in minor units may be larger than a JavaScript number holds exactly. */
export type RefundRow = Omit<Refund, 'amountMinor' | 'creditMinor'> & { amountMinor: string; creditMinor: string };

/** The refund that a row stands for. */
export function toRefund(row: RefundRow): Refund {
  return { ...row, amountMinor: BigInt(row.amountMinor), creditMinor: BigInt(row.creditMinor) };
}
