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
    description:
      'The amount without tax, rounded once, half away from zero. A line may be negative, but the sum of all lines may not.',
    examples: ['8.00'],
  }),
  taxRate: Type.Optional(
    text({
      required: true,
      rule: checkDecimal,
      description: "One of the invoice's tax rates; required if the invoice has several.",
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
        description: 'The amount to credit, including tax, with no more decimals than the currency has.',
        examples: ['9.60'],
      }),
    ),
    details: Type.Optional(
      Type.Array(CreditLineBody, {
        minItems: 1,
        maxItems: 1_000,
        description: "The lines to credit, without tax; the tax is added at the invoice's rate.",
      }),
    ),
    reference: Type.Optional(
      text({
        required: true,
        description:
          'Your own id for the credit note, unique in the company forever. If the same request is sent again, the response is 200 ' +
          'with the existing credit note. A different body, or another invoice, with the same reference is answered with 409 ' +
          '`reference_taken`.',
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
    description:
      'The number of the credit note, unique for the seller and without a gap in its series: see `PUT /operator/numbering`.',
    examples: ['CN-000001'],
  }),
  reference: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The `reference` as it was sent; null if none was sent.',
    examples: ['return-77'],
  }),
  invoiceId: uuid(),
  invoiceNumber: Type.String({ examples: ['INV-000001'] }),
  reason: Type.String(reason),
  currency: Type.String({ examples: ['USD'] }),
  taxRate: Type.String({
    description: 'The tax rate of the invoice; empty if the invoice has several rates, see `taxes`.',
    examples: ['20'],
  }),
  taxes,
  details: Type.Array(
    namedObject('CreditNoteLine', {
      title: Type.String({ examples: ['Requests that failed on 3 October'] }),
      amount: Type.Number({ examples: [8] }),
      taxRate: Type.Optional(
        Type.String({ description: 'The tax rate that was sent with the line, if any.', examples: ['20'] }),
      ),
    }),
    { description: 'The credited lines; empty if an `amount` was credited.' },
  ),
  subTotal: Type.String({ examples: ['8.00'] }),
  tax: Type.String({ examples: ['1.60'] }),
  total: Type.String({ description: '`subTotal` + `tax`.', examples: ['9.60'] }),
  afterPayment: Type.Boolean({
    description:
      'False: the credit note lowers the amount to pay. True: the invoice was paid before, and the money has to be refunded.',
    examples: [false],
  }),
  createdAt: timestamp(),
});

export const CreditNoteQuery = Type.Object(pageQuery);
export type CreditNoteQuery = Static<typeof CreditNoteQuery>;

export const CreditNoteList = pageOf('CreditNoteList', CreditNote);
