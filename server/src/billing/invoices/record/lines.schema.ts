import { timestamp, uuid } from '../../../platform/http/schema/fields.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { Type } from '../../../platform/http/schema/type.ts';

/** An amount of money in answers. */
export const money = (description: string, example: string) => Type.String({ description, examples: [example] });

const LINE_ITEM = {
  title: Type.String({ examples: ['Speech to text'] }),
  path: Type.String({ examples: ['/v1/transcriptions'] }),
  totalRequest: Type.String({ examples: ['12000'] }),
  currency: Type.String({ examples: ['USD'] }),
  amount: Type.Number({ examples: [48] }),
  kind: Type.Optional(
    Type.Enum(['usage', 'adjustment', 'item', 'carry_over'], {
      description:
        'Only for lines of a billing run. `usage`: usage in the billing period of the invoice. `adjustment`: the difference that ' +
        'late usage makes to the earlier `period` of the line. `item`: a one-off item. `carry_over`: a reduction (by late usage or ' +
        'items) that exceeds the rest of the invoice; the company gets the excess as credit.',
      examples: ['usage'],
    }),
  ),
  priceId: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'Only for lines of a billing run: the version of the price. Null if there is no price.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
    }),
  ),
  taxRate: Type.Optional(
    Type.String({
      description:
        'Only for lines of a billing run: the tax rate in percent. An `adjustment` has the rate of the period that it adjusts.',
      examples: ['20'],
    }),
  ),
  itemId: Type.Optional(uuid('The id of the one-off item. Only a line of the kind `item` has it.')),
  unitAmount: Type.Optional(
    Type.String({
      description: 'The price of one unit; `totalRequest` is the quantity. Only a line of the kind `item` has it.',
      examples: ['125.00'],
    }),
  ),
  period: Type.Optional(
    Type.Object(
      { startAt: timestamp('2026-09-01T00:00:00.000Z'), endAt: timestamp('2026-10-01T00:00:00.000Z') },
      {
        description: 'The earlier billing period that is adjusted; its end is exclusive. Only an `adjustment` has it.',
      },
    ),
  ),
};

/** A line of an invoice in answers. */
export const LineItem = namedObject('LineItem', LINE_ITEM, {
  examples: [
    {
      title: 'Speech to text',
      path: '/v1/transcriptions',
      totalRequest: '12000',
      currency: 'USD',
      amount: 48,
      kind: 'usage',
      priceId: '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40',
      taxRate: '20',
    },
  ],
});

/** The sum of the lines of each tax rate, and their tax; for invoices and credit notes. */
export const taxes = Type.Array(
  namedObject('TaxAmount', {
    rate: Type.String({ description: 'The tax rate in percent.', examples: ['20'] }),
    net: money('The total of the lines with this rate.', '48.00'),
    tax: money('net × rate, rounded once, half away from zero.', '9.60'),
  }),
  { description: 'The totals by tax rate, the lowest rate first.' },
);
