import type { Static } from 'typebox';
import { DOCUMENT_NUMBER, isDocumentNumber } from '../../billing/numbering/numbering.service.ts';
import { companyIds, companyIdsOrNull } from '../../platform/http/company-ids/company-id.ts';
import { uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

const MAX_NUMBERS = 1_000;
const nullable = (description: string, example: string | null) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] });
const nullableId = (description: string, example: string | null = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40') =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description, examples: [example] });

const OUTCOMES = ['accepted', 'refunded', 'released'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const outcome = (description: string) => Type.Enum(OUTCOMES, { description, examples: ['refunded'] });

export const ResolveCaseBody = namedObject(
  'ResolveCaseBody',
  {
    outcome: outcome(
      '`accepted`: a second capture of a debt becomes credit of its company. `refunded`: a capture that pays no invoice is refunded. ' +
        '`released`: invoices that wait are charged again; only for a case of the kind `open_invoices`.',
    ),
    invoices: Type.Optional(
      Type.Array(
        text({
          required: true,
          rule: documentedRule({ pattern: DOCUMENT_NUMBER }, (value) =>
            isDocumentNumber(value) ? [] : ['must be the number of an invoice'],
          ),
          examples: ['INV-000042'],
        }),
        {
          ...{ minItems: 1, maxItems: MAX_NUMBERS },
          description:
            'With `released`: the numbers of the invoices, in upper or lower case. When absent, all invoices that wait are released.',
        },
      ),
    ),
  },
  { examples: [{ outcome: 'refunded' }] },
);
export type ResolveCaseBody = Static<typeof ResolveCaseBody>;

export const CaseResolution = namedObject('CaseResolution', {
  outcome: outcome('The decision.'),
  gateway: nullable('The gateway of the capture; null after `released`.', 'stripe'),
  gatewayPaymentId: nullable("The gateway's id of the capture.", 'pi_3Rq2vYKdNfxT0aZb1c8mWpeL'),
  gatewayRefundId: nullable("The gateway's id of the refund.", 're_3Rq2vYKdNfxT0aZb1Xy4HkQm'),
  amount: nullable(
    "The amount that became credit, or that was refunded now. If nothing was left to refund, the amount of the gateway's last " +
      'refund.',
    '48.00',
  ),
  currency: nullable('The currency of `amount`.', 'USD'),
  ...companyIdsOrNull('The company that got the credit, after `accepted`.'),
  invoiceId: nullableId('The invoice that was charged a second time.'),
  paymentId: nullableId('The payment of the accepted capture. It pays no part of its invoice.'),
  released: Type.Integer({
    description: 'The number of open invoices that waited and can be charged now.',
    examples: [12],
  }),
  unknown: Type.Array(Type.String(), {
    description: 'The given numbers that no waiting invoice has.',
    examples: [['INV-000043']],
  }),
});
export type CaseResolution = Static<typeof CaseResolution>;

export const WaitingInvoiceQuery = Type.Object(pageQuery);
export type WaitingInvoiceQuery = Static<typeof WaitingInvoiceQuery>;

const WaitingInvoice = namedObject('WaitingInvoice', {
  id: uuid(),
  ...companyIds,
  number: Type.String({ examples: ['INV-000042'] }),
  buyer: Type.String({
    description: 'The name on the invoice, or the e-mail if there is no name.',
    examples: ['Acme Ltd'],
  }),
  amountDue: Type.String({ description: 'The amount that is neither paid nor credited.', examples: ['48.00'] }),
  paymentUnderReview: nullableId('The payment of the invoice that is under review. Resolve this payment first.', null),
  amountUnderReview: nullable('The amount that this payment has captured; null where it is not known.', null),
  currency: Type.String({ examples: ['USD'] }),
  dueAt: Type.Unsafe<Date>({ type: 'string', format: 'date-time', examples: ['2026-11-16T09:00:00.000Z'] }),
});
export type WaitingInvoice = Static<typeof WaitingInvoice>;

export const WaitingInvoiceList = pageOf('WaitingInvoiceList', WaitingInvoice);
export type WaitingInvoiceList = Static<typeof WaitingInvoiceList>;
