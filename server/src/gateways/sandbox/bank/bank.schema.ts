/** The shapes of the sandbox gateway's requests. Amounts are decimal strings of minor units. */
import * as guard from '../../gateway/gateway.guards.ts';

const identifier = guard.text(/^[\x21-\x7e]{1,255}$/);
/** 18 digits always fit the ledger's 64-bit columns. */
const amount = guard.text(/^[1-9][0-9]{0,17}$/);
const currency = guard.text(/^[A-Z]{3}$/);
const declineCode = guard.text(/^[a-z0-9_]{1,64}$/);
const instant = guard.text(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const anyText = guard.text(/^.{0,255}$/s);

export const isCardRequest = guard.closedObject({
  number: guard.text(/^[0-9]{12,19}$/),
  securityCode: guard.text(/^[0-9]{3,4}$/),
  expMonth: guard.integer(1, 12),
  expYear: guard.integer(2000, 9999),
  name: anyText,
  country: anyText,
});
export const isDetachRequest = guard.closedObject({ token: identifier });
export const isAccountRequest = guard.closedObject({
  setupToken: identifier,
  /** Clients of older versions leave it out. */
  companyId: guard.optional(identifier),
});
export type AccountRequestOnTheWire = guard.Guarded<typeof isAccountRequest>;
const debt = guard.text(/^.{1,400}$/s);
const detail = guard.optional(guard.text(/^.{0,2000}$/s));
const isPaymentDetails = guard.closedObject({
  installation: detail,
  invoiceId: detail,
  invoiceNumber: detail,
  total: detail,
  taxRate: detail,
  creditMinor: detail,
  sourceId: detail,
  usage: detail,
});
const isRefundDetails = guard.closedObject({
  installation: detail,
  key: detail,
  creditNoteId: detail,
  creditNoteNumber: detail,
  creditMinor: detail,
  reason: detail,
});
const sequence = guard.integer(1, 1_000_000);
export const isPaymentRequest = guard.closedObject({
  idempotencyKey: identifier,
  amountMinor: amount,
  currency,
  sourceToken: identifier,
  reference: identifier,
  /** Clients of older versions leave it out. */
  debt: guard.optional(debt),
  sequence: guard.optional(sequence),
  details: guard.optional(isPaymentDetails),
});
export type PaymentRequestOnTheWire = guard.Guarded<typeof isPaymentRequest>;
export const isDebtRequest = guard.closedObject({ debt, references: guard.listOf(identifier) });
export const isConfirmRequest = guard.closedObject({ idempotencyKey: identifier });
export const isRefundRequest = guard.closedObject({
  idempotencyKey: identifier,
  gatewayPaymentId: identifier,
  amountMinor: amount,
  reference: identifier,
  details: guard.optional(isRefundDetails),
});
export type RefundRequestOnTheWire = guard.Guarded<typeof isRefundRequest>;

export const isNothing = guard.closedObject({});

export const isTokenizedCard = guard.openObject({ token: identifier, brand: guard.text(/^[a-z]{1,20}$/) });

export const isVaultedAccount = guard.openObject({
  token: identifier,
  email: guard.text(/^[^\s@]{1,64}@[^\s@]{1,190}$/),
});

const nothingCaptured = { capturedAmountMinor: guard.isNull, capturedCurrency: guard.isNull };
export const isPayment = guard.either(
  guard.openObject({
    id: identifier,
    status: guard.oneOf(['captured']),
    capturedAmountMinor: amount,
    capturedCurrency: currency,
    declineCode: guard.isNull,
  }),
  guard.either(
    guard.openObject({ id: identifier, status: guard.oneOf(['declined']), ...nothingCaptured, declineCode }),
    guard.openObject({
      id: identifier,
      status: guard.oneOf(['created', 'canceled']),
      ...nothingCaptured,
      declineCode: guard.isNull,
    }),
  ),
);
export type PaymentOnTheWire = guard.Guarded<typeof isPayment>;
const isListedPayment = guard.both(
  isPayment,
  guard.openObject({
    amountMinor: amount,
    currency,
    debt: guard.either(debt, guard.isNull),
    sequence: guard.either(sequence, guard.isNull),
    reference: anyText,
    refundedMinor: guard.text(/^[0-9]{1,18}$/),
    createdAt: instant,
    details: isPaymentDetails,
  }),
);
export type PaymentListedOnTheWire = guard.Guarded<typeof isListedPayment>;
export const isDebtPaymentList = guard.openObject({ payments: guard.listOf(isListedPayment) });

export const isRefund = guard.openObject({ id: identifier, amountMinor: amount, currency });
export type RefundOnTheWire = guard.Guarded<typeof isRefund>;

const nextCursor = guard.either(identifier, guard.isNull);
export const isPaymentPage = guard.openObject({ entries: guard.listOf(isListedPayment), nextCursor });
const isListedRefund = guard.openObject({
  id: identifier,
  gatewayPaymentId: identifier,
  reference: anyText,
  amountMinor: amount,
  currency,
  createdAt: instant,
  details: isRefundDetails,
});
export type RefundListedOnTheWire = guard.Guarded<typeof isListedRefund>;
export const isRefundPage = guard.openObject({ entries: guard.listOf(isListedRefund), nextCursor });

export const isBookQuery = guard.closedObject({
  from: instant,
  to: instant,
  cursor: guard.optional(guard.text(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z_\d{1,18}$/)),
});
export const isRefundQuery = guard.closedObject({ reference: identifier });

export const isRefusal = guard.openObject({ error: guard.openObject({ code: guard.text(/^[a-z_]{1,64}$/) }) });

export const gatewayOperations = ['tokenize', 'ask', 'create', 'confirm', 'cancel', 'find', 'refund', 'list'] as const;
export type GatewayOperation = (typeof gatewayOperations)[number];

/** The kinds of faults. `gateways/sandbox/server/faults.ts` lists the operations that each can strike. */
export const faultKinds = [
  'latency',
  'answer_lost_before_effect',
  'answer_lost_after_effect',
  'hang_before_effect',
  'hang_after_effect',
  'executes_late',
  'server_error_before_effect',
  'server_error_after_effect',
  'cached_server_error',
  'rate_limited',
  'unauthorized',
  'forbidden',
  'outage',
  'declined',
  'captures_another_amount',
  'captures_another_currency',
  'unparsable_answer',
  'wrong_shape_answer',
  'huge_answer',
  'redirect_answer',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export const isFault = guard.closedObject({
  operation: guard.oneOf([...gatewayOperations, 'any']),
  kind: guard.oneOf(faultKinds),
  /** The number of calls that it strikes; null means until cleared. The default is 1, and null for an outage. */
  times: guard.optional(guard.either(guard.integer(1, 1_000_000), guard.isNull)),
  /** Required by `latency` and `executes_late`. */
  delayMs: guard.optional(guard.integer(0, 3_600_000)),
  /** For `captures_another_amount`. The default is one more than the payment's amount. */
  amountMinor: guard.optional(amount),
  /** For `captures_another_currency`. The default is EUR, or USD for a payment in EUR. */
  currency: guard.optional(currency),
  /** For `declined`. The default is generic_decline. */
  declineCode: guard.optional(declineCode),
});
export type Fault = guard.Guarded<typeof isFault>;
