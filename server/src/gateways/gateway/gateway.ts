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
  /** What is owed: `usage:<company>:<YYYY-MM>` for what a run bills, else `ref:<company>:<reference>`; up to 350 characters of any kind. */
  debt: string;
  /** Counts the objects of the debt from 1: one more than the highest that the gateway shows. */
  sequence: number;
  /** Kept with the object, so that the payment can be written down again from the object alone. */
  details: PaymentDetails;
  /** How many captures of the debt were wholly given back: a gateway that captures a debt once by itself has to be told. */
  capturesGivenBack?: number;
};

/** What an object says about its payment, as text of at most 500 characters each; an older one, or one with less room, lacks some. */
export type PaymentDetails = {
  /** The database that asked, by the id that it was given when it was made. */
  installation?: string | undefined;
  invoiceId?: string | undefined;
  invoiceNumber?: string | undefined;
  /** Of the invoice, in major units. */
  total?: string | undefined;
  /** Of the invoice, in percent; of one with several, all of them, as in `0,25`. */
  taxRate?: string | undefined;
  /** What the company's credit pays beside the object, in minor units. */
  creditMinor?: string | undefined;
  /** Our card or PayPal account that is charged. */
  sourceId?: string | undefined;
  /** Of an invoice for usage: what it takes by period, before tax, in major units, as in `2026-09:12.50,2026-10:40.00`. */
  usage?: string | undefined;
};

/** Whose debt is asked for, and what is known here of where its objects are. */
export type DebtRequest = {
  debt: string;
  companyId: string;
  /** What the gateway calls the company, as in `CardHolder`. */
  customer: string | null;
  /** What the company could ever charge at the gateway, deleted cards and accounts too. */
  sourceTokens: readonly string[];
  /**
   * The payments of the debt that the books have: by the gateway's id, null when it was not written down, or by our payment's. They serve
   * to find objects from before objects carried their debt, and all of them at a gateway that can't list.
   */
  known: readonly { gatewayPaymentId: string | null; reference: string; carriesDebt?: boolean }[];
  /**
   * After a `conflict`, and before a payment fails: a gateway that can't list without delay searches its books for captures of the debt
   * too, which takes long and may lag hours behind.
   */
  searches?: boolean;
  /** Nothing can have been captured of the debt before: where such a search ends. Null where that is not known. */
  owedSince?: Date | null;
};

/** An object of a debt, in whatever state, with what the payment can be written down again from. */
export type GatewayDebtPayment = GatewayPayment & {
  /** Null of an object from before objects carried their debt. */
  sequence: number | null;
  /** Our payment's id, as far as the gateway knows one. */
  reference: string | null;
  /** What of the capture was given back; 0 when nothing was captured. */
  refundedMinor: bigint;
  createdAt: Date;
  details: PaymentDetails;
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
  /** Kept with the refund, so that it can be written down again from it alone. */
  details?: RefundDetails;
};
/** What a refund says about itself, as text of at most 500 characters each; some may be missing, as in `PaymentDetails`. */
export type RefundDetails = {
  installation?: string | undefined;
  /** The operator's idempotency key. */
  key?: string | undefined;
  creditNoteId?: string | undefined;
  creditNoteNumber?: string | undefined;
  /** What became credit again beside it, in minor units. */
  creditMinor?: string | undefined;
  reason?: string | undefined;
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
/** An entry of the gateway's books, with our payment's or our refund's id as far as the gateway knows one. */
type GatewayBookEntry = {
  gatewayPaymentId: string;
  reference: string | null;
  amountMinor: bigint;
  currency: string;
  createdAt: Date;
};
/** What was really taken. `debt` is null where the gateway knows none, and in other words where it has no room for it. */
export type GatewayCapture = GatewayBookEntry & { debt: string | null; details: PaymentDetails };
/** What was really given back. */
export type GatewayBookRefund = GatewayBookEntry & { id: string };
/** A refund of a payment, with what it can be written down again from. */
export type GatewayPaymentRefund = GatewayBookRefund & { details: RefundDetails };

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
export type GatewayEvent = {
  /** The same again when the gateway repeats it. */
  id: string;
  /** The gateway's own word for what happened. */
  type: string;
  kind: 'payment' | 'refund' | 'refund_failed' | 'dispute' | 'other';
  gatewayPaymentId: string | null;
  /** Our refund's id, where the gateway event is about a refund that we asked for. */
  refundReference: string | null;
  /** The gateway's id of the dispute that it is about. */
  disputeId?: string | null;
};

/** What a gateway sent, as the bytes that its signature is about. */
export type SignedGatewayEvent = { body: Buffer; headers: Record<string, string | string[] | undefined> };

/** Every call rejects with a `GatewayError` when it has no answer to give. */
export type Gateway = {
  name: string;
  /** It captures a debt once by itself, whatever objects there are, and does not list them. */
  capturesDebtsOnce?: boolean;
  /** Swaps a card number for a token; moves no money. Gateways that take no cards reject it. */
  tokenizeCard(card: CardDetails): Promise<TokenizedCard>;
  /**
   * Swaps a setup token for an account that can be charged; moves no money. Left out by gateways that hold no accounts. The same setup
   * token again answers with the same account, as long as the gateway remembers it.
   */
  vaultAccount?(setup: AccountSetup): Promise<VaultedAccount>;
  /**
   * Makes a saved card or account unusable at the gateway, for one that was deleted here: a database that goes back would have it again.
   * One that is gone already is no error. Left out by gateways that keep neither.
   */
  detachSource?(token: string): Promise<void>;
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
  /**
   * Reads all objects of a debt, in whatever state, without delay: what was created before the call is among them. Rejects with
   * `outcome_unknown` when the gateway has not decided about one of them. A gateway that can't list without delay tells what it can,
   * and captures a debt once by itself: its `confirmPayment` rejects with `conflict` then.
   */
  listPaymentsOfDebt(request: DebtRequest): Promise<GatewayDebtPayment[]>;
  refundPayment(request: RefundRequest): Promise<GatewayRefund>;
  /** Reads a refund of the payment by the reference that it was made with; null when there is none (yet). */
  findRefund(gatewayPaymentId: string, reference: string): Promise<GatewayRefund | null>;
  /** All refunds by which money of the payment went back, whoever asked for them, the oldest first; none of an unknown payment. */
  listRefundsOf(gatewayPaymentId: string): Promise<GatewayPaymentRefund[]>;
  /** A page of the payments by which money was taken, each once, in the order in which they were made. */
  listCaptures(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayCapture>>;
  /** A page of the refunds, each once, in the order in which they were made. */
  listRefunds(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayBookRefund>>;
  /** Reads a dispute, for each payment that it is about; none of an unknown one. Left out by gateways that have no disputes. */
  findDispute?(gatewayDisputeId: string): Promise<GatewayDispute[]>;
  /** A page of the disputes that were opened in this time, each once. Left out as `findDispute` is. */
  listDisputes?(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayDispute | GatewayDisputeId>>;
  /**
   * Reads what came in at the gateway's webhook; null when its signature is missing, wrong or too old, or when it is no event.
   * Rejects with a `GatewayError` when the gateway has to be asked and can't be. Left out by gateways that have no webhook, or none
   * that is configured.
   */
  readGatewayEvent?(gatewayEvent: SignedGatewayEvent): Promise<GatewayEvent | null>;
};

/**
 * Why a call to a gateway gave no answer.
 * - `not_sent`: no connection came about (it was refused, say), so nothing reached the gateway.
 * - `rate_limited`: the gateway refused to look at it for now; the same request may be sent again.
 * - `unauthorized`: the gateway refused our credentials, so it looked at nothing; the same request may be sent again once they
 *   are mended.
 * - `not_configured`: the adapter of this gateway is not configured (any more), so nothing was sent.
 * - `rejected`: the gateway refused the request itself (an unknown token, say); sending it again changes nothing.
 * - `conflict`: the key stands for a request with other parameters, or the gateway has captured another object of the debt. Either way
 *   there is something that is not known here, so it says nothing about this payment: the gateway has to be asked for the debt.
 * - `outcome_unknown`: timeout, reset, 5xx or an answer that can't be read; it may have taken effect or may still do so.
 */
export type GatewayErrorKind =
  | 'not_sent'
  | 'rate_limited'
  | 'unauthorized'
  | 'not_configured'
  | 'rejected'
  | 'conflict'
  | 'outcome_unknown';

/** Carries no card data: the message is ours, never the gateway's body. */
export class GatewayError extends Error {
  readonly kind: GatewayErrorKind;
  /** With a `conflict`: the payment that the key stands for, where the gateway shows it. */
  readonly existingPaymentId: string | null;

  constructor(kind: GatewayErrorKind, message: string, options: ErrorOptions & { existingPaymentId?: string } = {}) {
    super(message, options);
    this.name = 'GatewayError';
    this.kind = kind;
    this.existingPaymentId = options.existingPaymentId ?? null;
  }
}
