/**
 * What Paydesk asks of a payment gateway. Every adapter passes the same contract test.
 * Amounts are whole minor units (cents for USD, yen for JPY) with the currency beside them.
 */

/** A card as typed in by its holder. It lives in memory on its way to `tokenizeCard` and nowhere else. */
export type CardDetails = {
  number: string;
  securityCode: string;
  expMonth: number;
  expYear: number;
  name: string;
  country: string;
};

export type TokenizedCard = { token: string; brand: string };

export type PaymentRequest = {
  /** Repeating the request with the same key answers with the same payment and never makes a second one. */
  idempotencyKey: string;
  amountMinor: bigint;
  /** ISO 4217. */
  currency: string;
  cardToken: string;
  /** Our payment's id, so that the two books can be compared. */
  reference: string;
};

export type GatewayPaymentStatus = 'created' | 'captured' | 'declined' | 'canceled';

/** The gateway's object. `captured*` say what was really taken; they are null until something was. */
export type GatewayPayment = {
  id: string;
  status: GatewayPaymentStatus;
  capturedAmountMinor: bigint | null;
  capturedCurrency: string | null;
  /** The bank's reason when `status` is `declined`, else null. */
  declineCode: string | null;
};

export type RefundRequest = { idempotencyKey: string; gatewayPaymentId: string; amountMinor: bigint };
export type GatewayRefund = { id: string; amountMinor: bigint; currency: string };

/** Every call rejects with a `GatewayError` when it has no answer to give. */
export type Gateway = {
  name: string;
  /** Swaps a card number for a token; moves no money. */
  tokenizeCard(card: CardDetails): Promise<TokenizedCard>;
  /** Creates a payment without moving money. */
  createPayment(request: PaymentRequest): Promise<GatewayPayment>;
  /** Moves the money, once: answers `captured` or `declined`. */
  confirmPayment(gatewayPaymentId: string, idempotencyKey: string): Promise<GatewayPayment>;
  /** Closes a payment that was not captured, so that nothing can capture it later. A captured one is answered as it is. */
  cancelPayment(gatewayPaymentId: string): Promise<GatewayPayment>;
  /** Reads a payment by its id; null when the gateway knows none. */
  findPayment(gatewayPaymentId: string): Promise<GatewayPayment | null>;
  refundPayment(request: RefundRequest): Promise<GatewayRefund>;
};

/**
 * Why a call to a gateway gave no answer.
 * - `not_sent`: no connection came about (it was refused, say), so nothing reached the gateway.
 * - `rate_limited`: the gateway refused to look at it for now; the same request may be sent again.
 * - `unauthorized`: the gateway refused our credentials, so it looked at nothing; the same request may be sent again once they
 *   are mended.
 * - `rejected`: the gateway refused the request itself (an unknown token, say); sending it again changes nothing.
 * - `outcome_unknown`: timeout, reset, 5xx or an answer that can't be read; it may have taken effect or may still do so.
 */
export type GatewayErrorKind = 'not_sent' | 'rate_limited' | 'unauthorized' | 'rejected' | 'outcome_unknown';

/** Carries no card data: the message is ours, never the gateway's body. */
export class GatewayError extends Error {
  readonly kind: GatewayErrorKind;

  constructor(kind: GatewayErrorKind, message: string) {
    super(message);
    this.name = 'GatewayError';
    this.kind = kind;
  }
}
