import type { Static } from 'typebox';
import { checkTaxRate } from '../../customers/companies/companies.settings.schema.ts';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { decimalText, text } from '../../platform/http/schema/validation.ts';
import { checkCurrency } from '../../platform/money/currencies.ts';
import { checkDecimal } from '../../platform/money/decimal.ts';

const MAX_QUANTITY = 1_000_000;
const STATES = ['pending', 'invoiced'] as const;

export const ItemBody = namedObject(
  'ItemBody',
  {
    title: text({ required: true, description: 'The title of the invoice line.', examples: ['Onboarding'] }),
    amount: Type.Optional(
      decimalText(checkDecimal, {
        description:
          'The total of the line without tax, with no more decimals than the currency has; negative for a credit. Send either ' +
          '`amount`, or `unitAmount` and `quantity`.',
        examples: ['250.00'],
      }),
    ),
    unitAmount: Type.Optional(
      decimalText(checkDecimal, {
        description:
          "The price of one unit, with up to 12 decimals. The line's total is `unitAmount` × `quantity`, rounded once, half away " +
          'from zero.',
        examples: ['125.00'],
      }),
    ),
    quantity: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_QUANTITY,
        description: 'The number of units, with `unitAmount`; 1 when absent.',
        examples: [2],
      }),
    ),
    currency: Type.Optional(
      text({
        required: true,
        rule: checkCurrency,
        description:
          "The currency of the item, which must be the company's billing currency. When absent: that currency.",
        examples: ['USD'],
      }),
    ),
    taxRate: Type.Optional(
      text({
        required: true,
        rule: checkTaxRate,
        description:
          'The tax rate in percent, as a decimal string. When absent: the rate of the usage on the same invoice.',
        examples: ['20'],
      }),
    ),
    invoice: Type.Optional(
      Type.Enum(['next'], {
        description: "`next` (the default): the company's next invoice includes the item.",
        examples: ['next'],
      }),
    ),
    reference: Type.Optional(
      text({
        required: true,
        description:
          "Your own id for the item, unique among the company's items. If the same request is sent again, the response is 200 with " +
          'the existing item. A different body with the same reference is answered with 409 `reference_taken`.',
        examples: ['order-1042'],
      }),
    ),
  },
  {
    'x-documented': {
      oneOf: [{ required: ['amount'], properties: { quantity: false } }, { required: ['unitAmount'] }],
    },
    examples: [{ title: 'Onboarding', unitAmount: '125.00', quantity: 2, reference: 'order-1042' }],
  },
);
export type ItemBody = Static<typeof ItemBody>;

const nullable = (description: string, example: string | null, format = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...format, description, examples: [example] });

export const Item = namedObject('Item', {
  id: uuid(),
  ...companyIds,
  title: Type.String({ examples: ['Onboarding'] }),
  amount: Type.String({ description: '`unitAmount` × `quantity`; negative for a credit.', examples: ['250.00'] }),
  unitAmount: Type.String({ examples: ['125.00'] }),
  quantity: Type.Integer({ examples: [2] }),
  currency: Type.String({ examples: ['USD'] }),
  taxRate: nullable('The tax rate in percent; null for the rate of the usage on the same invoice.', null),
  reference: nullable('The `reference` as it was sent.', 'order-1042'),
  state: Type.Enum(STATES, {
    description:
      '`pending`: the item waits for an invoice. `invoiced`: an invoice includes the item. The item stays `invoiced` even if ' +
      'that invoice is voided.',
    examples: ['pending'],
  }),
  invoiceId: nullable('The invoice that includes the item; null while the item is pending.', null, { format: 'uuid' }),
  createdAt: timestamp(),
});
export type Item = Static<typeof Item>;

export const ItemQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(Type.Enum(STATES, { description: 'Only items in this state.', examples: ['pending'] })),
});
export type ItemQuery = Static<typeof ItemQuery>;

export const ItemList = pageOf('ItemList', Item);
