/**
 * What Paydesk asks of a payment gateway. Every adapter passes the same contract test.
 * Amounts are whole minor units (cents for USD, yen for JPY) with the currency beside them.
 */

import type { GatewayBalance, GatewayBookPage, GatewayBookRequest } from './gateway.books.ts';
import type {
  CardDetails,
  CardHolder,
  ConfirmedCard,
  ConfirmedDebit,
  CustomerDescription,
  GatewayFields,
  TokenizedCard,
} from './gateway.cards.ts';
import type { GatewayDispute, GatewayDisputeId } from './gateway.disputes.ts';
import type { GatewayEvent, SignedGatewayEvent } from './gateway.webhooks.ts';

export type { GatewayBookPage, GatewayBookRequest } from './gateway.books.ts';
export type { CardDetails, CardHolder, TokenizedCard } from './gateway.cards.ts';

/** The gateway issues a setup token when the holder has agreed that we save the account. It can be swapped once. */
export type AccountSetup = { setupToken: string; holder: CardHolder };

/** An account that we may charge. `email` is how the holder knows it; `customer` as with a card. */
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
  /** Stored with the object, so that the payment can be restored from the object alone. */
  details: PaymentDetails;
  /** How many captures of the debt were fully refunded or paid a part of it: a gateway that captures a debt only once has to know. */
  capturesRefunded?: number;
  /** The time limit of the call, if it is shorter than the gateway's own: nothing is sent later. */
  timeoutMs?: number;
};

/**
 * An object's details of its payment, as texts of at most `MAX_DETAIL_LENGTH` characters; an older object, or one with
 * less room, lacks some.
 */
export type PaymentDetails = {
  /** The database that asked, by the id that it was given when it was made. */
  installation?: string | undefined;
  /** Of the company that owes the debt. */
  companyExternalId?: string | undefined;
  invoiceId?: string | undefined;
  invoiceNumber?: string | undefined;
  /** Of the invoice, in major units. */
  total?: string | undefined;
  /** The invoice's tax rate in percent; with several, all of them, as in `0,25`. */
  taxRate?: string | undefined;
  /** What the company's credit pays beside the object, in minor units. */
  creditMinor?: string | undefined;
  /** Our card or PayPal account that is charged. */
  sourceId?: string | undefined;
  /** Of an invoice for usage: what it takes by period, before tax, in major units, as in `2026-09:12.50,2026-10:40.00`. */
  usage?: string | undefined;
};

/** Which debt is asked for, and what is known about where its objects are. */
export type DebtRequest = {
  debt: string;
  companyId: string;
  /** What the gateway calls the company, as in `CardHolder`. */
  customer: string | null;
  /** All sources of the company at the gateway, deleted ones too. */
  sourceTokens: readonly string[];
  /**
   * The debt's payments in our books: by the gateway's id (null when it was not recorded) or by our payment's. They
   * find objects from before objects carried their debt, and all objects at a gateway that can't list. `isPart`: its capture paid a
   * part of the debt, and the rest is still owed.
   */
  known: readonly { gatewayPaymentId: string | null; reference: string; carriesDebt?: boolean; isPart?: boolean }[];
  /**
   * After a `conflict`, and before a payment fails: a gateway that can't list without delay also searches its books for
   * captures of the debt, which is slow and may lag hours behind.
   */
  searches?: boolean;
  /** Where such a search ends: nothing of the debt can have been captured earlier. Null when that is not known. */
  owedSince?: Date | null;
};

/** An object of a debt, in any state, with what the payment can be restored from. */
export type GatewayDebtPayment = GatewayPayment & {
  /** Null of an object from before objects carried their debt. */
  sequence: number | null;
  /** Our payment's id, as far as the gateway knows one. */
  reference: string | null;
  /** How much of the capture was refunded; 0 when nothing was captured. */
  refundedMinor: bigint;
  createdAt: Date;
  details: PaymentDetails;
};

export type ConfirmRequest = {
  gatewayPaymentId: string;
  /** Repeating the request with the same key answers the same, as long as the gateway remembers the key. */
  idempotencyKey: string;
  /** As in the `PaymentRequest`: some gateways need it only now. */
  sourceToken: string;
  /** Whether the customer is there, and can confirm the charge at once if the bank asks for it. The same in each repetition. */
  session: 'on' | 'off';
  /** Where a bank's page sends the customer back to; empty off session. */
  returnUrl: string;
};

/** `requires_action`: the gateway waits until the customer has confirmed the charge. */
/** `processing`: the money is on its way for days, as with a direct debit; it can't be canceled, and is then `captured` or `declined`. */
export type GatewayPaymentStatus = 'created' | 'requires_action' | 'processing' | 'captured' | 'declined' | 'canceled';

/**
 * What the customer needs to confirm a charge: the secret for the gateway's script in the browser, and the address of the bank's page
 * where there is one. The secret lets its holder confirm the charge, and nothing else.
 */
export type ConfirmationAction = { clientSecret: string; redirectUrl: string | null };

/** The gateway's object. `captured*` say what was really captured; null until then. */
export type GatewayPayment = {
  id: string;
  status: GatewayPaymentStatus;
  capturedAmountMinor: bigint | null;
  capturedCurrency: string | null;
  /** The bank's reason when `status` is `declined`, else null; `authentication_failed` when the customer did not confirm. */
  declineCode: string | null;
  /** There while the status is `requires_action`, except in lists. */
  action?: ConfirmationAction;
};

export type RefundRequest = {
  /** Repeating the request with the same key answers with the same refund, as long as the gateway remembers the key. */
  idempotencyKey: string;
  gatewayPaymentId: string;
  amountMinor: bigint;
  /** Our refund's id, by which it is found again when its answer was lost. */
  reference: string;
  /** Stored with the refund, so that it can be restored from it alone. */
  details?: RefundDetails;
  /** A person asks for it while charges are held, because the database went back: the hold lets it pass. */
  isRecovery?: true;
};
/** A refund's details; texts as in `PaymentDetails`, of which some may be missing. */
export type RefundDetails = {
  installation?: string | undefined;
  /** The operator's idempotency key. */
  key?: string | undefined;
  creditNoteId?: string | undefined;
  creditNoteNumber?: string | undefined;
  /** The credit returned with it, in minor units. */
  creditMinor?: string | undefined;
  reason?: string | undefined;
};
export type GatewayRefund = { id: string; amountMinor: bigint; currency: string };

/**
 * An object of a payment as the gateway lists it, made by Paydesk or not. It is `undecided` while the gateway has not decided about the
 * payment. `reference` is null where Paydesk made nothing of it.
 */
export type GatewayPaymentObject = Omit<GatewayDebtPayment, 'status'> & {
  kind: 'payment';
  status: GatewayPaymentStatus | 'undecided';
  /** What the payment was requested for. */
  amountMinor: bigint;
  currency: string;
  /** Null where the gateway does not know it, and shortened where it has no room. */
  debt: string | null;
};
/** A refund of a payment, with what it can be restored from. `reference` is our refund's id, as far as the gateway knows one. */
export type GatewayPaymentRefund = GatewayRefund & {
  gatewayPaymentId: string;
  reference: string | null;
  createdAt: Date;
  details: RefundDetails;
};
/** A refund as the gateway lists it, made by Paydesk or not. One that is pending has `succeeded` until it fails. */
export type GatewayRefundObject = GatewayPaymentRefund & { kind: 'refund'; status: 'succeeded' | 'failed' };

/** Every call rejects with a `GatewayError` when it has no answer to give. */
export type Gateway = Partial<GatewayBalance> & {
  name: string;
  /** Swaps a card number for a token; moves no money. Gateways that take no cards reject it. */
  tokenizeCard(card: CardDetails): Promise<TokenizedCard>;
  /** Fields in which the holder types the number; absent where there are none, or they are not configured. */
  fields?: GatewayFields;
  /**
   * Takes a card or an account for direct debits that somebody saved at the gateway, by the gateway's id of it, for the company: it has to
   * be of the company's customer, or of none. Rejects with `rejected` for any other. Absent where cards have no such ids.
   */
  takeCard?(id: string, holder: CardHolder): Promise<ConfirmedCard | ConfirmedDebit>;
  /**
   * Swaps a setup token for an account that can be charged; moves no money. Left out by gateways that hold no accounts. The same setup
   * token again answers with the same account, as long as the gateway remembers it.
   */
  vaultAccount?(setup: AccountSetup): Promise<VaultedAccount>;
  /**
   * Detaches a deleted card or account at the gateway, because a restored database would have it again. Detaching twice
   * is no error. Absent for gateways that save neither. `timeoutMs` is the time limit of the call, if it is shorter than the gateway's own.
   */
  detachSource?(token: string, timeoutMs?: number): Promise<void>;
  /** Writes who the customer is, as often as that changes. Absent for gateways that keep no customers. */
  describeCustomer?(description: CustomerDescription): Promise<void>;
  /** Creates a payment without moving money. */
  createPayment(request: PaymentRequest): Promise<GatewayPayment>;
  /** Moves the money, once: answers `captured` or `declined`, or `requires_action` if the bank first asks the customer. */
  confirmPayment(request: ConfirmRequest): Promise<GatewayPayment>;
  /**
   * Asks the customer, who is there now, about a payment that waits because they were not there when it was confirmed. The answer has the
   * address of the bank's page, or what came of it. Asking twice is no error. Absent where the first answer has all that is needed.
   */
  askCustomer?(request: { gatewayPaymentId: string; returnUrl: string }): Promise<GatewayPayment>;
  /**
   * Closes a payment that was not captured, so that nothing can capture it later. A captured one is returned as it is.
   */
  cancelPayment(gatewayPaymentId: string): Promise<GatewayPayment>;
  /**
   * Reads a payment by its id; null when the gateway knows none. Some gateways forget that a payment was declined: there it is `created`
   * as before, and may be confirmed again.
   */
  findPayment(gatewayPaymentId: string): Promise<GatewayPayment | null>;
  /**
   * Reads all objects of a debt, in any state, without delay: those created before the call are included. Rejects with
   * `outcome_unknown` when the gateway has not decided about one of them. A gateway that can't list without delay
   * returns what it can, and captures a debt only once: its `confirmPayment` then rejects with `conflict`.
   */
  listPaymentsOfDebt(request: DebtRequest): Promise<GatewayDebtPayment[]>;
  refundPayment(request: RefundRequest): Promise<GatewayRefund>;
  /** Reads a refund of the payment by its reference; null when there is none (yet). */
  findRefund(gatewayPaymentId: string, reference: string): Promise<GatewayRefund | null>;
  /** All refunds of the payment, whoever requested them, oldest first; none for an unknown payment. */
  listRefundsOf(gatewayPaymentId: string): Promise<GatewayPaymentRefund[]>;
  /**
   * A page of the payments that were created in this interval, in any state and whoever created them, each once. A gateway that can't list
   * returns its captures, by the time of their capture, and may lag hours behind.
   */
  listPayments(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayPaymentObject>>;
  /** A page of the refunds that were created in this interval, each once. */
  listRefunds(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayRefundObject>>;
  /**
   * Reads a dispute, one entry for each of its payments; none for an unknown one. Absent for gateways without disputes.
   */
  findDispute?(gatewayDisputeId: string): Promise<GatewayDispute[]>;
  /** A page of the disputes opened in this interval, each once. Absent like `findDispute`. */
  listDisputes?(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayDispute | GatewayDisputeId>>;
  /**
   * Reads a webhook request; null when its signature is missing, wrong or too old, or when it is not an event. Rejects
   * with a `GatewayError` when the gateway has to be asked and can't be. Absent for gateways without a configured
   * webhook.
   */
  readGatewayEvent?(gatewayEvent: SignedGatewayEvent): Promise<GatewayEvent | null>;
};

/**
 * Why a call to a gateway has no result.
 * - `not_sent`: no connection was made, so nothing reached the gateway.
 * - `rate_limited`: the gateway did not process the request; the same request may be sent again.
 * - `unauthorized`: the gateway refused our credentials and did not process the request; it may be sent again once they
 *   are corrected.
 * - `not_configured`: the gateway's adapter is not configured (any more), so nothing was sent.
 * - `rejected`: the gateway refused the request itself (an unknown token, for example); sending it again changes
 *   nothing.
 * - `conflict`: the key was used with other parameters, or the gateway has captured another object of the debt. Either
 *   way the books lack something, and it says nothing about this payment: ask the gateway for the debt.
 * - `outcome_unknown`: a timeout, a reset, 5xx or an unreadable answer; the request may have taken effect or may still
 *   do so.
 */
export type GatewayErrorKind =
  | 'not_sent'
  | 'rate_limited'
  | 'unauthorized'
  | 'not_configured'
  | 'rejected'
  | 'conflict'
  | 'outcome_unknown';

/** Contains no card data: the message is ours, never the gateway's body. */
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
