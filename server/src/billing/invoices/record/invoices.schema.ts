import type { Static } from 'typebox';
import { timestamp, uuid } from '../../../platform/http/schema/fields.ts';
import { checkDateOrInstant, checkInstant } from '../../../platform/http/schema/instants.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../../platform/http/schema/pagination.ts';
import { documentedRule, oneOfRule, UUID_SHAPE } from '../../../platform/http/schema/text-rules.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { decimalText, text } from '../../../platform/http/schema/validation.ts';
import { checkCurrency } from '../../../platform/money/currencies.ts';
import { checkDecimal } from '../../../platform/money/decimal.ts';
import { DOCUMENT_NUMBER, isDocumentNumber } from '../../numbering/numbering.service.ts';
import { LineItem, money, taxes } from './lines.schema.ts';
import { reverseCharge, state, stateFilter } from './state.schema.ts';

/** The payment methods that the operator can set. Filters ignore the letter case. */
export const METHODS = ['Card', 'paypal'] as const;
export const STATUSES = ['Processing', 'Succeeded', 'Failed'] as const;
export const PAYMENT_STATUSES = [...STATUSES, 'NeedsReview'] as const;

const checkRequests = documentedRule(
  { type: ['string', 'integer'], pattern: '[0-9]{1,18}', minimum: 0, exclusiveMaximum: 1e18 },
  (value) => (/^\d{1,18}$/.test(value) ? [] : ['must be a whole number, not negative']),
);

const LineItemBody = namedObject('LineItemBody', {
  title: text({ required: true, examples: ['Speech to text'] }),
  path: Type.Optional(text({ description: 'Empty when absent.', examples: ['/v1/transcriptions'] })),
  totalRequest: Type.Optional(
    decimalText(checkRequests, {
      description: 'How many requests the line bills, 0 when absent; it does not multiply the amount.',
      examples: [12_000],
    }),
  ),
  currency: text({
    required: true,
    rule: checkCurrency,
    description: 'ISO 4217. One currency an invoice.',
    examples: ['USD'],
  }),
  amount: decimalText(checkDecimal, {
    description: "The line's total. Rounded once, half away from zero, to the currency's minor unit. May be negative.",
    examples: ['48.00'],
  }),
});

export const CreateInvoiceBody = namedObject('CreateInvoiceBody', {
  companyId: text({ required: true, examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'] }),
  startAt: text({
    required: true,
    rule: checkInstant,
    description: 'The start of the billing period.',
    examples: ['2026-10-01T00:00:00Z'],
  }),
  endAt: text({
    required: true,
    rule: checkInstant,
    description: 'The end of the period, itself not in it: the next period starts there.',
    examples: ['2026-11-01T00:00:00Z'],
  }),
  method: Type.Optional(Type.Enum(METHODS, { description: '`Card` when absent.', examples: ['Card'] })),
  taxRate: Type.Optional(
    text({
      required: true,
      rule: checkDecimal,
      description: 'Percent, as a decimal string; 0 when absent.',
      examples: ['20'],
    }),
  ),
  details: Type.Array(LineItemBody, { minItems: 1, maxItems: 1_000 }),
  reference: Type.Optional(
    text({
      required: true,
      description:
        'Your own name for what is owed, unique in the company for ever. Sent again, the same request is 200 with the invoice that is ' +
        'there, whatever became of the idempotency key; with another body it is 409 `reference_taken`.',
      examples: ['order-1042'],
    }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      maxProperties: 50,
      propertyNames: { maxLength: 255 },
      description:
        'Anything of yours, returned as sent; 16 KiB at most. Numbers beyond 9007199254740991 have to be text.',
      examples: [{ contract: 'C-1042' }],
    }),
  ),
});
export type CreateInvoiceBody = Static<typeof CreateInvoiceBody>;

const LOOKS_LIKE_ID = new RegExp(`^${UUID_SHAPE}$`);

/** An amount in a query: a decimal without an exponent, which a float could not represent exactly. */
const amountFilter = (which: string) =>
  Type.Optional(
    text({ required: true, rule: checkDecimal, description: `Invoices whose total is ${which}.`, examples: ['10.00'] }),
  );

export const InvoiceQuery = Type.Object({
  ...pageQuery,
  receipt: Type.Optional(
    text({
      required: true,
      rule: documentedRule({ pattern: `${UUID_SHAPE}|${DOCUMENT_NUMBER}` }, (value) =>
        isDocumentNumber(value) || LOOKS_LIKE_ID.test(value) ? [] : ['must be an invoice id or number'],
      ),
      description: "The invoice's id or number.",
      examples: ['INV-000001'],
    }),
  ),
  min: amountFilter('at least this'),
  max: amountFilter('at most this'),
  status: Type.Optional(
    text({ required: true, rule: oneOfRule(STATUSES), description: `${STATUSES.join(', ')}; in any case.` }),
  ),
  state: Type.Optional(stateFilter),
  method: Type.Optional(
    text({ required: true, rule: oneOfRule(METHODS), description: `${METHODS.join(', ')}; in any case.` }),
  ),
  startAt: Type.Optional(
    text({
      required: true,
      rule: checkDateOrInstant,
      description: 'Periods that start at this date or instant, or later.',
    }),
  ),
  endAt: Type.Optional(
    text({
      required: true,
      rule: checkDateOrInstant,
      description: 'Periods that end by this instant; a bare date includes that day.',
    }),
  ),
});
export type InvoiceQuery = Static<typeof InvoiceQuery>;

export const Payment = namedObject('Payment', {
  id: uuid(),
  invoiceId: uuid(),
  cardId: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid' }),
  method: Type.Enum(METHODS),
  gateway: Type.String({
    description: '`none` for an invoice of zero, or one that the credit covers wholly.',
    examples: ['sandbox'],
  }),
  amount: money(
    "What the card or the PayPal account is charged: the invoice's total without creditAmount. Of a second capture that was accepted, " +
      'all that was captured, which is credit of the company.',
    '57.60',
  ),
  creditAmount: money("What the company's credit pays; it goes back when the payment fails.", '0.00'),
  currency: Type.String({ examples: ['USD'] }),
  status: Type.Enum(PAYMENT_STATUSES),
  failureReason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: ['declined', 'not_sent', 'rejected', 'canceled', 'superseded', null],
    description:
      'Null unless it failed. `not_sent`: the gateway was out of reach, which is no refusal; `rejected`: the gateway, not the ' +
      'bank, refused it; `superseded`: nothing was charged, because the gateway had captured another payment of the same debt, which ' +
      'counts instead.',
    examples: [null],
  }),
  declineCode: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why it was refused, in a word; null when it was not.',
    examples: [null],
  }),
  initiator: Type.Enum(['manual', 'automatic'], {
    description: '`manual`: a person paid. `automatic`: the automatic collection charged it.',
    examples: ['manual'],
  }),
  card: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    properties: { brand: { type: 'string' }, cardNumber: { type: 'string', examples: ['4242********4242'] } },
    required: ['brand', 'cardNumber'],
    description: 'Null when no card was charged.',
    examples: [{ brand: 'visa', cardNumber: '4242********4242' }],
  }),
  paypalAccount: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      email: { type: 'string', examples: ['ada@example.com'] },
    },
    required: ['id', 'email'],
    description: 'Null unless a PayPal account was charged.',
    examples: [null],
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

export const invoiceFields = {
  id: uuid(),
  companyId: uuid(),
  number: Type.String({
    description: 'Unique for the seller, and without a gap in its series: see `PUT /operator/numbering`.',
    examples: ['INV-000001'],
  }),
  reference: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'As it was sent; null without one.',
    examples: ['order-1042'],
  }),
  billToId: uuid('The billing-information record.'),
  paymentId: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description: 'Null until paid.' }),
  startAt: timestamp(),
  endAt: timestamp('2026-11-01T00:00:00.000Z'),
  method: Type.Enum(METHODS),
  status: Type.Enum(STATUSES),
  state,
  reverseCharge,
  currency: Type.String({ examples: ['USD'] }),
  taxRate: Type.String({
    description: 'Percent; empty when the lines have several rates, see `taxes`.',
    examples: ['20'],
  }),
  taxes,
  details: Type.Array(LineItem),
  subTotal: money('The sum of the rounded lines. Two decimals; three for a currency with three.', '48.00'),
  tax: money('subTotal × taxRate, rounded once, half away from zero; with several rates the sum of `taxes`.', '9.60'),
  total: money('subTotal + tax.', '57.60'),
  metadata: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'As sent. Once the invoice is paid with credit, `creditAmount` says how much.',
    examples: [{ contract: 'C-1042' }],
  }),
  creditedTotal: money('The sum of its credit notes.', '0.00'),
  refundedTotal: money('How much of it was refunded, to the card or the PayPal account and as credit.', '0.00'),
  dueAt: Type.Unsafe<Date>({
    type: 'string',
    format: 'date-time',
    description: "From when on it is collected: its issue and the company's net days.",
    examples: ['2026-11-16T09:00:00.000Z'],
  }),
  voidedAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Since when it is void: neither paid nor credited. Null unless it is.',
    examples: [null],
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
};

export const Invoice = namedObject('Invoice', invoiceFields);

const InvoiceWithPayment = namedObject('InvoiceWithPayment', {
  ...invoiceFields,
  payment: Type.Union([Payment, Type.Null()], {
    description:
      'The latest payment, whether it succeeded or not; a second capture that was accepted as credit does not count.',
  }),
});

export const InvoiceList = pageOf('InvoiceList', InvoiceWithPayment);
export type InvoiceList = Static<typeof InvoiceList>;
