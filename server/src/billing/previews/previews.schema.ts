import type { Static } from 'typebox';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { checkCurrency } from '../../platform/money/currencies.ts';
import { BillingRunBody } from '../runs/runs.service.ts';

export const BillingPreviewBody = BillingRunBody;

const OUTLIERS = ['higher', 'lower', 'gone'] as const;

export const BillingPreviewInvoiceQuery = Type.Object({
  ...pageQuery,
  outlier: Type.Optional(
    Type.Enum([...OUTLIERS, 'any'], {
      description: 'Only invoices that differ from the month before in this way; `any` for every difference.',
    }),
  ),
  currency: Type.Optional(
    text({
      required: true,
      rule: checkCurrency,
      description: 'Invoices in this currency. ISO 4217.',
      examples: ['USD'],
    }),
  ),
});
export type BillingPreviewInvoiceQuery = Static<typeof BillingPreviewInvoiceQuery>;

const money = (description: string, example: string) => Type.String({ description, examples: [example] });

export const BillingPreview = namedObject('BillingPreview', {
  id: uuid(),
  period: Type.String({ examples: ['2026-10'] }),
  status: Type.Enum(['running', 'done'], { examples: ['done'] }),
  companies: Type.Integer({ description: 'The number of companies when the preview began.', examples: [1_000] }),
  done: Type.Integer({ description: 'The number of companies that are processed.', examples: [1_000] }),
  failures: Type.Integer({
    description: 'The number of companies that cannot be billed; the log says why.',
    examples: [0],
  }),
  totals: Type.Array(
    namedObject('BillingPreviewTotal', {
      currency: Type.String({ examples: ['USD'] }),
      invoices: Type.Integer({ examples: [800] }),
      subTotal: money('The sum of the invoices, without tax.', '48000.00'),
      tax: money('The tax at all rates.', '9600.00'),
      total: money('`subTotal` + `tax`.', '57600.00'),
      subTotalBefore: money('The total of the invoices of the month before, without tax.', '47100.00'),
    }),
    { description: 'The totals of the invoices, by currency.' },
  ),
  outliers: Type.Object({
    higher: Type.Integer({
      description: 'The number of invoices that are at least twice as high as in the month before, without tax.',
      examples: [3],
    }),
    lower: Type.Integer({
      description: 'The number of invoices whose total without tax is at most half of that of the month before.',
      examples: [5],
    }),
    gone: Type.Integer({
      description: 'The number of companies that have an invoice for the month before and would get none.',
      examples: [1],
    }),
  }),
  unpricedPaths: Type.Array(
    namedObject('UnpricedPath', {
      path: Type.String({ examples: ['/v1/translations'] }),
      companies: Type.Integer({ description: 'The number of companies that used the path.', examples: [3] }),
    }),
    { description: 'Paths without a price, which would become lines of zero. The first 1,000, ordered by path.' },
  ),
  createdAt: timestamp(),
  finishedAt: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', examples: [null] }),
});

export const BillingPreviewInvoiceList = pageOf(
  'BillingPreviewInvoiceList',
  namedObject('BillingPreviewInvoice', {
    ...companyIds,
    startAt: timestamp(),
    endAt: timestamp('2026-11-01T00:00:00.000Z'),
    method: Type.Enum(['Card', 'paypal']),
    currency: Type.String({ examples: ['USD'] }),
    subTotal: money('The sum of the lines, without tax.', '48.00'),
    tax: money('The tax at all rates.', '9.60'),
    total: money('`subTotal` + `tax`.', '57.60'),
    subTotalBefore: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The subtotal of the invoice of the month before; null if there was none in the currency.',
      examples: ['40.00'],
    }),
    outlier: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: [...OUTLIERS, null],
      description: 'How the invoice differs from the month before; null if it does not.',
      examples: [null],
    }),
    unpricedPaths: Type.Array(Type.String(), { examples: [[]] }),
  }),
);
