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
  holder: CardHolder;
};

/** Whose card it is. `customer` is what the gateway called the company when it saved a card before; null: none yet. */
export type CardHolder = { companyId: string; customer: string | null };

/** `customer` is what the gateway calls the company, to be handed in with its next card; left out where it keeps no customers. */
export type TokenizedCard = { token: string; brand: string; customer?: string };

/** A setup token is the gateway's word that the holder has agreed there to let us keep the account. It can be swapped once. */
export type AccountSetup = { setupToken: string; holder: CardHolder };

/** An account that the holder lets us charge. `email` is how the holder knows it; `customer` as with a card. */
export type VaultedAccount = { token: string; email: string; customer?: string };

export type PaymentRequest = {
  /** Repeating the request with the same key answers with the same payment and never makes a second one. */
  idempotencyKey: string;
  amountMinor: bigint;
  /** ISO 4217. */
  currency: string;
  /** What is charged: the token of a card or of a vaulted account. */
  sourceToken: string;
  /** Our payment's id, so that the two books can be compared. */
  reference: string;
};

export type ConfirmRequest = {
  gatewayPaymentId: string;
  /** Repeating the request with the same key answers the same, as long as the gateway remembers the key. */
  idempotencyKey: string;
  /** The same as in the `PaymentRequest`: some gateways learn only now what is charged. */
  sourceToken: string;
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

export type RefundRequest = {
  /** Repeating the request with the same key answers with the same refund, as long as the gateway remembers the key. */
  idempotencyKey: string;
  gatewayPaymentId: string;
  amountMinor: bigint;
  /** Our refund's id, by which it is found again when its answer was lost. */
  reference: string;
};
export type GatewayRefund = { id: string; amountMinor: bigint; currency: string };

/** A stretch of the gateway's books, by when it made the entry: from `from`, before `to`. */
export type GatewayBookRequest = {
  from: Date;
  to: Date;
  /** Of the page before; null for the first. */
  cursor: string | null;
};
/** `nextCursor` is null on the last page. */
export type GatewayBookPage<Entry> = { entries: Entry[]; nextCursor: string | null };
/** What was really taken, with our payment's id as far as the gateway knows one. */
export type GatewayCapture = {
  gatewayPaymentId: string;
  reference: string | null;
  amountMinor: bigint;
  currency: string;
  createdAt: Date;
};
/** What was really given back, with our refund's id as far as the gateway knows one. */
export type GatewayBookRefund = GatewayCapture & { id: string };

/** Money of a dispute that moved: more than zero was taken from us, less was given back to us. */
export type GatewayDisputeMovement = { id: string; amountMinor: bigint; createdAt: Date };
/**
 * A cardholder wants money back through the bank. `won` and `lost` are seen from our side; `closed` came to an end without either.
 * One about several payments is one of these for each, with its share of the amount and of what moved.
 */
export type GatewayDispute = {
  id: string;
  gatewayPaymentId: string;
  status: 'needs_response' | 'under_review' | 'won' | 'lost' | 'closed';
  amountMinor: bigint;
  currency: string;
  /** The gateway's own word. */
  reason: string;
  /** Null when the gateway does not say which payment its money is of; then `amountMinor` is all of what is disputed. */
  movements: GatewayDisputeMovement[] | null;
  createdAt: Date;
};
/** What some gateways list of a dispute: it has to be read by its id. */
export type GatewayDisputeId = { id: string };

/**
 * What a gateway tells by itself, through its webhook. It is a hint to look, never an outcome: that is asked for.
 * `payment`: something became of a payment. `refund`: money of a captured one goes back. `refund_failed`: it did not go back after
 * all. `dispute`: a cardholder wants it back through the bank. `other`: nothing for us.
 */
export type GatewayNotice = {
  /** The same again when the gateway repeats it. */
  id: string;
  /** The gateway's own word for what happened. */
  type: string;
  kind: 'payment' | 'refund' | 'refund_failed' | 'dispute' | 'other';
  gatewayPaymentId: string | null;
  /** Our refund's id, where the notice is about a refund that we asked for. */
  refundReference: string | null;
  /** The gateway's id of the dispute that it is about. */
  disputeId?: string | null;
};

/** What a gateway sent, as the bytes that its signature is about. */
export type SignedNotice = { body: Buffer; headers: Record<string, string | string[] | undefined> };

/** Every call rejects with a `GatewayError` when it has no answer to give. */
export type Gateway = {
  name: string;
  /** Swaps a card number for a token; moves no money. Gateways that take no cards reject it. */
  tokenizeCard(card: CardDetails): Promise<TokenizedCard>;
  /**
   * Swaps a setup token for an account that can be charged; moves no money. Left out by gateways that hold no accounts. The same setup
   * token again answers with the same account, as long as the gateway remembers it.
   */
  vaultAccount?(setup: AccountSetup): Promise<VaultedAccount>;
  /** Creates a payment without moving money. */
  createPayment(request: PaymentRequest): Promise<GatewayPayment>;
  /** Moves the money, once: answers `captured` or `declined`. */
  confirmPayment(request: ConfirmRequest): Promise<GatewayPayment>;
  /** Closes a payment that was not captured, so that nothing can capture it later. A captured one is answered as it is. */
  cancelPayment(gatewayPaymentId: string): Promise<GatewayPayment>;
  /**
   * Reads a payment by its id; null when the gateway knows none. Some gateways forget that a payment was declined: there it is `created`
   * as before, and may be confirmed again.
   */
  findPayment(gatewayPaymentId: string): Promise<GatewayPayment | null>;
  refundPayment(request: RefundRequest): Promise<GatewayRefund>;
  /** Reads a refund of the payment by the reference that it was made with; null when there is none (yet). */
  findRefund(gatewayPaymentId: string, reference: string): Promise<GatewayRefund | null>;
  /** All refunds by which money of the payment went back, whoever asked for them, the oldest first; none of an unknown payment. */
  listRefundsOf(gatewayPaymentId: string): Promise<GatewayBookRefund[]>;
  /** A page of the payments by which money was taken, each once, in the order in which they were made. */
  listCaptures(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayCapture>>;
  /** A page of the refunds, each once, in the order in which they were made. */
  listRefunds(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayBookRefund>>;
  /** Reads a dispute, for each payment that it is about; none of an unknown one. Left out by gateways that have no disputes. */
  findDispute?(gatewayDisputeId: string): Promise<GatewayDispute[]>;
  /** A page of the disputes that were opened in this time, each once. Left out as `findDispute` is. */
  listDisputes?(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayDispute | GatewayDisputeId>>;
  /**
   * Reads what came in at the gateway's webhook; null when its signature is missing, wrong or too old, or when it is no notice.
   * Rejects with a `GatewayError` when the gateway has to be asked and can't be. Left out by gateways that have no webhook, or none
   * that is configured.
   */
  readNotice?(notice: SignedNotice): Promise<GatewayNotice | null>;
};

/**
 * Why a call to a gateway gave no answer.
 * - `not_sent`: no connection came about (it was refused, say), so nothing reached the gateway.
 * - `rate_limited`: the gateway refused to look at it for now; the same request may be sent again.
 * - `unauthorized`: the gateway refused our credentials, so it looked at nothing; the same request may be sent again once they
 *   are mended.
 * - `not_configured`: the adapter of this gateway is not configured (any more), so nothing was sent.
 * - `rejected`: the gateway refused the request itself (an unknown token, say); sending it again changes nothing.
 * - `outcome_unknown`: timeout, reset, 5xx or an answer that can't be read; it may have taken effect or may still do so.
 */
export type GatewayErrorKind =
  | 'not_sent'
  | 'rate_limited'
  | 'unauthorized'
  | 'not_configured'
  | 'rejected'
  | 'outcome_unknown';

/** Carries no card data: the message is ours, never the gateway's body. */
export class GatewayError extends Error {
  readonly kind: GatewayErrorKind;

  constructor(kind: GatewayErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GatewayError';
    this.kind = kind;
  }
}
