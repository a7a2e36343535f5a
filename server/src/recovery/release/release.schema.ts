import type { Static } from 'typebox';
import { DOCUMENT_NUMBER, isDocumentNumber } from '../../billing/numbering/numbering.service.ts';
import { uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

const MAX_NUMBERS = 1_000;

export const ReleaseBody = namedObject('ReleaseBody', {
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
        minItems: 1,
        maxItems: MAX_NUMBERS,
        description: 'The numbers of the invoices, in any case; all that wait without it.',
      },
    ),
  ),
});
export type ReleaseBody = Static<typeof ReleaseBody>;

export const Release = namedObject('Release', {
  released: Type.Integer({ description: 'How many open invoices waited and may be charged now.', examples: [12] }),
  unknown: Type.Array(Type.String(), {
    description: 'Those of the given numbers that no waiting invoice has.',
    examples: [['INV-000043']],
  }),
});
export type Release = Static<typeof Release>;

export const WaitingInvoiceQuery = Type.Object(pageQuery);
export type WaitingInvoiceQuery = Static<typeof WaitingInvoiceQuery>;

const WaitingInvoice = namedObject('WaitingInvoice', {
  id: uuid(),
  companyId: uuid(),
  number: Type.String({ examples: ['INV-000042'] }),
  buyer: Type.String({ description: 'The name on the invoice; without one its e-mail.', examples: ['Acme Ltd'] }),
  amountDue: Type.String({ description: 'What is neither paid nor credited.', examples: ['48.00'] }),
  paymentUnderReview: Type.Unsafe<string | null>({
    ...{ type: ['string', 'null'], format: 'uuid', examples: [null] },
    description: 'The payment of it that is under review: resolve that first.',
  }),
  amountUnderReview: Type.Unsafe<string | null>({
    ...{ type: ['string', 'null'], examples: [null] },
    description: 'How much of `amountDue` that payment has captured, or more than that; null where it is not known.',
  }),
  currency: Type.String({ examples: ['USD'] }),
  dueAt: Type.Unsafe<Date>({ type: 'string', format: 'date-time', examples: ['2026-11-16T09:00:00.000Z'] }),
});
export type WaitingInvoice = Static<typeof WaitingInvoice>;

export const WaitingInvoiceList = pageOf('WaitingInvoiceList', WaitingInvoice);
export type WaitingInvoiceList = Static<typeof WaitingInvoiceList>;
