/** The shapes of the sandbox gateway's requests. Amounts are decimal strings of minor units. */

import type { Static } from 'typebox';
import { Type } from '../../../platform/http/schema/type.ts';
import { closedObject, textLike } from '../../gateway/gateway.shapes.ts';

const identifier = textLike(/^[\x21-\x7e]{1,255}$/);
/** 18 digits always fit the ledger's 64-bit columns. */
const amount = textLike(/^[1-9][0-9]{0,17}$/);
const currency = textLike(/^[A-Z]{3}$/);
const declineCode = textLike(/^[a-z0-9_]{1,64}$/);
const instant = textLike(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
/** Up to 255 characters, which have two UTF-16 units each at most. */
const anyText = textLike(/^[\s\S]{0,510}$/);

export const CardRequest = closedObject({
  number: textLike(/^[0-9]{12,19}$/),
  securityCode: textLike(/^[0-9]{3,4}$/),
  expMonth: Type.Integer({ minimum: 1, maximum: 12 }),
  expYear: Type.Integer({ minimum: 2000, maximum: 9999 }),
  name: anyText,
  country: anyText,
});
const DebitRequest = closedObject({ iban: textLike(/^[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}$/), name: anyText });
const setupMethod = Type.Enum(['Card', 'sepa_debit']);
/** Clients of older versions leave the method out. */
export const SetupRequest = closedObject({ method: Type.Optional(setupMethod) });
export const SetupConfirmation = closedObject({
  clientSecret: anyText,
  card: Type.Optional(CardRequest),
  sepaDebit: Type.Optional(DebitRequest),
});
export type SetupConfirmationOnTheWire = Static<typeof SetupConfirmation>;
export const ChallengeAnswer = closedObject({ clientSecret: anyText, outcome: Type.Enum(['succeed', 'fail']) });
export const DetachRequest = closedObject({ token: identifier });
export const AccountRequest = closedObject({
  setupToken: identifier,
  /** Clients of older versions leave it out. */
  companyId: Type.Optional(identifier),
});
export type AccountRequestOnTheWire = Static<typeof AccountRequest>;
const debt = textLike(/^[\s\S]{1,400}$/);
const detail = Type.Optional(textLike(/^[\s\S]{0,2000}$/));
const PaymentDetails = closedObject({
  installation: detail,
  companyExternalId: detail,
  invoiceId: detail,
  invoiceNumber: detail,
  total: detail,
  taxRate: detail,
  creditMinor: detail,
  sourceId: detail,
  usage: detail,
});
const RefundDetails = closedObject({
  installation: detail,
  key: detail,
  creditNoteId: detail,
  creditNoteNumber: detail,
  creditMinor: detail,
  reason: detail,
});
const sequence = Type.Integer({ minimum: 1, maximum: 1_000_000 });
export const PaymentRequest = closedObject({
  idempotencyKey: identifier,
  amountMinor: amount,
  currency,
  sourceToken: identifier,
  reference: identifier,
  /** Clients of older versions leave it out. */
  debt: Type.Optional(debt),
  sequence: Type.Optional(sequence),
  details: Type.Optional(PaymentDetails),
});
export type PaymentRequestOnTheWire = Static<typeof PaymentRequest>;
export const DebtRequest = closedObject({ debt, references: Type.Array(identifier) });
const session = Type.Enum(['on', 'off']);
export type Session = Static<typeof session>;
/** Clients of older versions leave `session` out. */
export const ConfirmRequest = closedObject({ idempotencyKey: identifier, session: Type.Optional(session) });
export const RefundRequest = closedObject({
  idempotencyKey: identifier,
  gatewayPaymentId: identifier,
  amountMinor: amount,
  reference: identifier,
  details: Type.Optional(RefundDetails),
});
export type RefundRequestOnTheWire = Static<typeof RefundRequest>;

export const Nothing = closedObject({});

export const TokenizedCard = Type.Object({ token: identifier, brand: textLike(/^[a-z]{1,20}$/) });

const setupStatus = Type.Enum(['requires_payment_method', 'requires_action', 'succeeded']);
export const CreatedSetup = Type.Object({ id: identifier, clientSecret: identifier });
export const ConfirmedSetup = Type.Object({ status: setupStatus });
export const AnsweredChallenge = Type.Object({ status: Type.Enum(['succeeded', 'failed']) });
const ConfirmedCard = Type.Object({
  token: identifier,
  brand: textLike(/^[a-z]{1,20}$/),
  lastFour: textLike(/^[0-9]{4}$/),
  expMonth: Type.Integer({ minimum: 1, maximum: 12 }),
  expYear: Type.Integer({ minimum: 2000, maximum: 9999 }),
  name: anyText,
  country: anyText,
  fingerprint: identifier,
});
const ConfirmedDebit = Type.Object({
  method: Type.Enum(['sepa_debit']),
  token: identifier,
  lastFour: textLike(/^[0-9A-Z]{4}$/),
  name: anyText,
  country: textLike(/^[A-Z]{2}$/),
  fingerprint: identifier,
  mandate: Type.Object({ reference: identifier, acceptedAt: instant }),
});
export type ConfirmedDebitOnTheWire = Static<typeof ConfirmedDebit>;
export const FoundSetup = Type.Object({
  status: setupStatus,
  card: Type.Union([ConfirmedDebit, ConfirmedCard, Type.Null()]),
});

export const VaultedAccount = Type.Object({
  token: identifier,
  email: textLike(/^[^\s@]{1,64}@[^\s@]{1,190}$/),
});

const nothingCaptured = { capturedAmountMinor: Type.Null(), capturedCurrency: Type.Null() };
export const Payment = Type.Union([
  Type.Object({
    id: identifier,
    status: Type.Enum(['captured']),
    capturedAmountMinor: amount,
    capturedCurrency: currency,
    declineCode: Type.Null(),
  }),
  Type.Object({ id: identifier, status: Type.Enum(['declined']), ...nothingCaptured, declineCode }),
  /** Lists leave `clientSecret` out. */
  Type.Object({
    id: identifier,
    status: Type.Enum(['requires_action']),
    ...nothingCaptured,
    declineCode: Type.Null(),
    clientSecret: Type.Optional(identifier),
  }),
  Type.Object({
    id: identifier,
    status: Type.Enum(['created', 'processing', 'canceled']),
    ...nothingCaptured,
    declineCode: Type.Null(),
  }),
]);
export type PaymentOnTheWire = Static<typeof Payment>;
const Listed = Type.Object({
  amountMinor: amount,
  currency,
  debt: Type.Union([debt, Type.Null()]),
  sequence: Type.Union([sequence, Type.Null()]),
  reference: anyText,
  refundedMinor: textLike(/^[0-9]{1,18}$/),
  createdAt: instant,
  details: PaymentDetails,
});
const ListedPayment = Type.Unsafe<Static<typeof Payment> & Static<typeof Listed>>({ allOf: [Payment, Listed] });
export type PaymentListedOnTheWire = Static<typeof ListedPayment>;
export const DebtPaymentList = Type.Object({ payments: Type.Array(ListedPayment) });

export const Refund = Type.Object({ id: identifier, amountMinor: amount, currency });
export type RefundOnTheWire = Static<typeof Refund>;

const nextCursor = Type.Union([identifier, Type.Null()]);
export const PaymentPage = Type.Object({ entries: Type.Array(ListedPayment), nextCursor });
const ListedRefund = Type.Object({
  id: identifier,
  gatewayPaymentId: identifier,
  reference: anyText,
  amountMinor: amount,
  currency,
  createdAt: instant,
  details: RefundDetails,
});
export type RefundListedOnTheWire = Static<typeof ListedRefund>;
export const RefundPage = Type.Object({ entries: Type.Array(ListedRefund), nextCursor });

/** A dispute that the holder of an account has won by asking for the money back. */
const ListedDispute = Type.Object({
  id: identifier,
  gatewayPaymentId: identifier,
  amountMinor: amount,
  currency,
  createdAt: instant,
});
export type DisputeOnTheWire = Static<typeof ListedDispute>;
export const DisputePage = Type.Object({ entries: Type.Array(ListedDispute), nextCursor });

export const BookQuery = closedObject({
  from: instant,
  to: instant,
  cursor: Type.Optional(textLike(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z_\d{1,18}$/)),
});
export const RefundQuery = closedObject({ reference: identifier });

export const Refusal = Type.Object({ error: Type.Object({ code: textLike(/^[a-z_]{1,64}$/) }) });

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

export const Fault = closedObject({
  operation: Type.Enum([...gatewayOperations, 'any']),
  kind: Type.Enum(faultKinds),
  /** The number of calls that it strikes; null means until cleared. The default is 1, and null for an outage. */
  times: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()])),
  /** Required by `latency` and `executes_late`. */
  delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
  /** For `captures_another_amount`. The default is one more than the payment's amount. */
  amountMinor: Type.Optional(amount),
  /** For `captures_another_currency`. The default is EUR, or USD for a payment in EUR. */
  currency: Type.Optional(currency),
  /** For `declined`. The default is generic_decline. */
  declineCode: Type.Optional(declineCode),
});
export type Fault = Static<typeof Fault>;
