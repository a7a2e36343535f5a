import type { Static } from 'typebox';
import { companyIds, companyIdText } from '../../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../../platform/http/schema/fields.ts';
import { checkInstant } from '../../../platform/http/schema/instants.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { documentedRule } from '../../../platform/http/schema/text-rules.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { decimalText, text } from '../../../platform/http/schema/validation.ts';
import { checkCurrency } from '../../../platform/money/currencies.ts';
import { checkDecimal } from '../../../platform/money/decimal.ts';
import { LineItem, money, taxes } from './lines.schema.ts';
import { reverseCharge, state } from './state.schema.ts';

/** The payment methods that the operator can set. Filters ignore the letter case. */
export const METHODS = ['Card', 'paypal'] as const;
export const STATUSES = ['Processing', 'Succeeded', 'Failed'] as const;

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
  companyId: companyIdText({ description: 'The company that owes it.' }),
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

export const invoiceFields = {
  id: uuid(),
  ...companyIds,
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
