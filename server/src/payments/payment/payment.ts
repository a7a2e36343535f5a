import type { FastifyRequest } from 'fastify';

/** A payment is one attempt to charge an invoice; docs/charge.md shows its states. */
export type PaymentState =
  | 'created'
  | 'sending'
  | 'requires_action'
  | 'processing'
  | 'unknown'
  | 'needs_review'
  | 'captured'
  | 'failed';
export type FailureReason = 'declined' | 'not_sent' | 'rejected' | 'canceled' | 'superseded';

export type Payment = {
  companyId: string;
  id: string;
  invoiceId: string;
  /** The card or the PayPal account that is charged; at most one of them is set. */
  cardId: string | null;
  paypalAccountId: string | null;
  gateway: string;
  gatewayToken: string | null;
  /** What the card or the account is charged. */
  amountMinor: bigint;
  /** What the company's credit pays. Together with `amountMinor` it is the amount due of the invoice. */
  creditMinor: bigint;
  currency: string;
  /** Whether the customer is there when it is charged, and can confirm it at once. */
  isOnSession: boolean;
  state: PaymentState;
  gatewayPaymentId: string | null;
  /**
   * The number of the object among its debt's objects; 0 until it is recorded, null for a payment from before objects carried their debt.
   */
  sequence: number | null;
  declineCode: string | null;
  failureReason: FailureReason | null;
  /** What the customer needs to confirm the payment; null unless it waits for that. */
  action: PaymentAction | null;
  /** Until when the payment waits for its confirmation, or is looked at as a debit; null for one that never did. */
  expiresAt: Date | null;
  /** Whether that time has passed. */
  isExpired: boolean;
  /** How many scheduled checks the reconciler has made. The holder of a lease finds out by it whether the lease is still its own. */
  reconcileCount: number;
};

/**
 * Who reads payments. What lets its holder confirm one goes to the company's own requests alone: others see until when it waits, and where
 * its invoice is paid.
 */
export type PaymentReader = 'company' | 'others';

/** Who reads a company's payments with a request: a view of the company is the operator's. */
export function readerOf({ principal }: FastifyRequest): PaymentReader {
  return principal === null || principal.kind === 'view' || principal.kind === 'operator' ? 'others' : 'company';
}

/** `url` is where the invoice is paid, and `redirectUrl` the bank's page, where there is one. */
export type PaymentAction = { clientSecret: string; publishableKey: string; url: string; redirectUrl: string | null };

/** Whether the payment has no outcome yet, and does not wait for its customer. */
export function isOpen({ state }: Pick<Payment, 'state'>): boolean {
  return state === 'created' || state === 'sending' || state === 'unknown';
}

/** A row as the database returns it, with text for amounts that a JavaScript number may not hold exactly. */
export type PaymentRow = Omit<Payment, 'amountMinor' | 'creditMinor'> & { amountMinor: string; creditMinor: string };

/** Converts a row to a payment. */
export function toPayment(row: PaymentRow): Payment {
  return { ...row, amountMinor: BigInt(row.amountMinor), creditMinor: BigInt(row.creditMinor) };
}
