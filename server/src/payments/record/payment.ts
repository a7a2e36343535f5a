/** A payment is one attempt to charge an invoice; docs/charge.md shows its states. */
export type PaymentState = 'created' | 'sending' | 'unknown' | 'needs_review' | 'captured' | 'failed';
export type FailureReason = 'declined' | 'not_sent' | 'rejected' | 'canceled' | 'superseded';

export type Payment = {
  companyId: string;
  id: string;
  invoiceId: string;
  /** What is charged, of which a payment has one at most: a card or a PayPal account. */
  cardId: string | null;
  paypalAccountId: string | null;
  gateway: string;
  gatewayToken: string | null;
  /** What the card or the account is charged. */
  amountMinor: bigint;
  /** What the company's credit pays. With `amountMinor` it is what the invoice has due. */
  creditMinor: bigint;
  currency: string;
  state: PaymentState;
  gatewayPaymentId: string | null;
  /** Which of its debt's objects that is; 0 until it is written down, null of a payment from before objects carried their debt. */
  sequence: number | null;
  declineCode: string | null;
  failureReason: FailureReason | null;
  /** How often the reconciler has had its turn. Whoever holds a lease knows by it whether it is still theirs. */
  reconcileCount: number;
};

/** As the database answers: an amount in minor units may be larger than a JavaScript number holds exactly. */
export type PaymentRow = Omit<Payment, 'amountMinor' | 'creditMinor'> & { amountMinor: string; creditMinor: string };

/** The payment that a row stands for. */
export function toPayment(row: PaymentRow): Payment {
  return { ...row, amountMinor: BigInt(row.amountMinor), creditMinor: BigInt(row.creditMinor) };
}
