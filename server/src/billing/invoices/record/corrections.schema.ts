import type { Static } from 'typebox';
import { companyIds } from '../../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../../platform/http/schema/fields.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../../platform/http/schema/pagination.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { decimalText, text } from '../../../platform/http/schema/validation.ts';
import { checkDecimal, checkPositiveDecimal } from '../../../platform/money/decimal.ts';
import { taxes } from './lines.schema.ts';

const CreditLineBody = namedObject('CreditNoteLineBody', {
  title: text({ required: true, examples: ['Requests that failed on 3 October'] }),
  amount: decimalText(checkDecimal, {
    description: 'Without tax. Rounded once, half away from zero. May be negative, but not what all lines come to.',
    examples: ['8.00'],
  }),
  taxRate: Type.Optional(
    text({
      required: true,
      rule: checkDecimal,
      description: "One of the invoice's tax rates; needed when it has several.",
      examples: ['20'],
    }),
  ),
});

const reason = { description: 'Why the invoice is corrected, for the books.', examples: ['Outage of 3 October'] };

/** Either `amount` or `details`. */
export const CreditNoteBody = namedObject(
  'CreditNoteBody',
  {
    reason: text({ max: 2_000, required: true, ...reason }),
    amount: Type.Optional(
      decimalText(checkPositiveDecimal, {
        description: 'What is credited in all, the tax included, with no more decimals than the currency has.',
        examples: ['9.60'],
      }),
    ),
    details: Type.Optional(
      Type.Array(CreditLineBody, {
        minItems: 1,
        maxItems: 1_000,
        description: "What is credited, line by line, without tax; the invoice's tax rate comes on top.",
      }),
    ),
    reference: Type.Optional(
      text({
        required: true,
        description:
          'Your own name for the credit note, unique in the company for ever. Sent again, the same request is 200 with the credit note ' +
          'that is there; with another body, or for another invoice, it is 409 `reference_taken`.',
        examples: ['return-77'],
      }),
    ),
  },
  {
    'x-documented': { oneOf: [{ required: ['amount'] }, { required: ['details'] }] },
    examples: [{ amount: '9.60', reason: 'Outage of 3 October' }],
  },
);
export type CreditNoteBody = Static<typeof CreditNoteBody>;

export const CreditNote = namedObject('CreditNote', {
  id: uuid(),
  ...companyIds,
  number: Type.String({
    description: 'Unique for the seller, and without a gap in its series: see `PUT /operator/numbering`.',
    examples: ['CN-000001'],
  }),
  reference: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'As it was sent; null without one.',
    examples: ['return-77'],
  }),
  invoiceId: uuid(),
  invoiceNumber: Type.String({ examples: ['INV-000001'] }),
  reason: Type.String(reason),
  currency: Type.String({ examples: ['USD'] }),
  taxRate: Type.String({ description: "The invoice's; empty when it has several, see `taxes`.", examples: ['20'] }),
  taxes,
  details: Type.Array(
    namedObject('CreditNoteLine', {
      title: Type.String({ examples: ['Requests that failed on 3 October'] }),
      amount: Type.Number({ examples: [8] }),
      taxRate: Type.Optional(Type.String({ description: 'Where it was sent.', examples: ['20'] })),
    }),
    { description: 'Empty when an amount was credited.' },
  ),
  subTotal: Type.String({ examples: ['8.00'] }),
  tax: Type.String({ examples: ['1.60'] }),
  total: Type.String({ description: 'subTotal + tax.', examples: ['9.60'] }),
  afterPayment: Type.Boolean({
    description:
      'False: it lowers what is to be paid. True: the invoice was paid by then, and the money has to be given back.',
    examples: [false],
  }),
  createdAt: timestamp(),
});

export const CreditNoteQuery = Type.Object(pageQuery);
export type CreditNoteQuery = Static<typeof CreditNoteQuery>;

export const CreditNoteList = pageOf('CreditNoteList', CreditNote);
