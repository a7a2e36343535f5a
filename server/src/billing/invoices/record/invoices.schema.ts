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
  path: Type.Optional(
    text({
      description: 'The path of the API that the line bills; empty when absent.',
      examples: ['/v1/transcriptions'],
    }),
  ),
  totalRequest: Type.Optional(
    decimalText(checkRequests, {
      description: 'The number of requests that the line bills; 0 when absent. The amount is not multiplied by it.',
      examples: [12_000],
    }),
  ),
  currency: text({
    required: true,
    rule: checkCurrency,
    description: 'The currency, as a code of ISO 4217. All lines of an invoice have the same currency.',
    examples: ['USD'],
  }),
  amount: decimalText(checkDecimal, {
    description:
      "The total of the line, rounded once to the currency's minor unit, half away from zero. It may be negative.",
    examples: ['48.00'],
  }),
});

export const CreateInvoiceBody = namedObject('CreateInvoiceBody', {
  companyId: companyIdText({ description: 'The company that owes the invoice.' }),
  startAt: text({
    required: true,
    rule: checkInstant,
    description: 'The start of the billing period.',
    examples: ['2026-10-01T00:00:00Z'],
  }),
  endAt: text({
    required: true,
    rule: checkInstant,
    description: 'The end of the billing period (exclusive): the next period starts there.',
    examples: ['2026-11-01T00:00:00Z'],
  }),
  method: Type.Optional(
    Type.Enum(METHODS, { description: 'What pays the invoice; `Card` when absent.', examples: ['Card'] }),
  ),
  taxRate: Type.Optional(
    text({
      required: true,
      rule: checkDecimal,
      description: 'The tax rate in percent, as a decimal string; 0 when absent.',
      examples: ['20'],
    }),
  ),
  details: Type.Array(LineItemBody, { minItems: 1, maxItems: 1_000 }),
  reference: Type.Optional(
    text({
      required: true,
      description:
        'Your own id for the debt, unique in the company forever. If the same request is sent again, the response is 200 with the ' +
        'existing invoice, even if the idempotency key has expired. A different body with the same reference is answered with 409 ' +
        '`reference_taken`.',
      examples: ['order-1042'],
    }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      maxProperties: 50,
      propertyNames: { maxLength: 255 },
      description:
        'Your own data, returned as it was sent; at most 16 KiB. Send numbers beyond 9007199254740991 as text.',
      examples: [{ contract: 'C-1042' }],
    }),
  ),
});
export type CreateInvoiceBody = Static<typeof CreateInvoiceBody>;

export const invoiceFields = {
  id: uuid(),
  ...companyIds,
  number: Type.String({
    description:
      'The number of the invoice, unique for the seller and without a gap in its series: see `PUT /operator/numbering`.',
    examples: ['INV-000001'],
  }),
  reference: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The `reference` as it was sent; null if none was sent.',
    examples: ['order-1042'],
  }),
  billToId: uuid('The id of the billing-information record of the buyer.'),
  paymentId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'The payment that paid the invoice. Null until the invoice is paid.',
  }),
  startAt: timestamp(),
  endAt: timestamp('2026-11-01T00:00:00.000Z'),
  method: Type.Enum(METHODS),
  status: Type.Enum(STATUSES),
  state,
  reverseCharge,
  currency: Type.String({ examples: ['USD'] }),
  taxRate: Type.String({
    description: 'In percent; empty if the lines have several rates, see `taxes`.',
    examples: ['20'],
  }),
  taxes,
  details: Type.Array(LineItem),
  subTotal: money('The sum of the rounded lines, with two decimals, or three for a currency with three.', '48.00'),
  tax: money(
    '`subTotal` × `taxRate`, rounded once, half away from zero; with several rates, the sum of the tax in `taxes`.',
    '9.60',
  ),
  total: money('`subTotal` + `tax`.', '57.60'),
  metadata: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'The metadata as it was sent. If the invoice is paid with credit, `creditAmount` is added: the amount of credit used.',
    examples: [{ contract: 'C-1042' }],
  }),
  creditedTotal: money("The sum of the invoice's credit notes.", '0.00'),
  refundedTotal: money('The amount that was refunded, to the card, to the PayPal account or as credit.', '0.00'),
  dueAt: Type.Unsafe<Date>({
    type: 'string',
    format: 'date-time',
    description: "The date from which the invoice is charged automatically: its issue plus the company's net days.",
    examples: ['2026-11-16T09:00:00.000Z'],
  }),
  voidedAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description:
      'When the invoice was voided; null unless it is void. A void invoice can neither be paid nor credited.',
    examples: [null],
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
};

export const Invoice = namedObject('Invoice', invoiceFields);
