import type { Static } from 'typebox';
import { CreditNote } from '../billing/invoices/record/corrections.schema.ts';
import { METHODS } from '../billing/invoices/record/invoices.schema.ts';
import { DOCUMENT_NUMBER, isDocumentNumber } from '../billing/numbering/numbering.service.ts';
import { PAYMENT_STATUSES, Payment } from '../payments/payment/payment.schema.ts';
import { REFUND_STATUSES, Refund } from '../payments/refunds/issue/refunds.schema.ts';
import { companyIds, companyIdText } from '../platform/http/company-ids/company-id.ts';
import { checkDateOrInstant } from '../platform/http/schema/instants.ts';
import { named, namedObject } from '../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../platform/http/schema/pagination.ts';
import { documentedRule, oneOfRule, patternRule, UUID } from '../platform/http/schema/text-rules.ts';
import { Type } from '../platform/http/schema/type.ts';
import { text } from '../platform/http/schema/validation.ts';
import { checkCurrency } from '../platform/money/currencies.ts';
import { checkDecimal } from '../platform/money/decimal.ts';

const EXAMPLE_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';

/** A filter by an id. */
const idOf = (thing: string) =>
  Type.Optional(
    text({
      required: true,
      rule: patternRule(UUID, `must be the id of ${thing}`),
      description: `Only records of ${thing}, by its id.`,
      examples: [EXAMPLE_ID],
    }),
  );

const amountFilter = (description: string) =>
  Type.Optional(
    text({
      required: true,
      rule: checkDecimal,
      description,
      examples: ['10.00'],
    }),
  );

const choice = (values: readonly string[]) =>
  Type.Optional(
    text({
      required: true,
      rule: oneOfRule(values),
      description: `Only records with this value: ${values.join(', ')}. Upper and lower case count as the same.`,
    }),
  );

/** The filters that all lists share; `amount` names the field that `min` and `max` apply to. */
const filtersBy = (amount: string) => ({
  companyId: Type.Optional(companyIdText({ description: 'Only records of this company.' })),
  invoiceId: idOf('an invoice'),
  from: Type.Optional(
    named(
      'CreatedFrom',
      text({
        required: true,
        rule: checkDateOrInstant,
        description: 'Created at this instant or later; a date means 00:00 UTC of that day.',
      }),
    ),
  ),
  to: Type.Optional(
    named(
      'CreatedTo',
      text({
        required: true,
        rule: checkDateOrInstant,
        description: 'Created before this instant; a date means 00:00 UTC of that day, so that day is not included.',
      }),
    ),
  ),
  currency: Type.Optional(
    named(
      'InCurrency',
      text({
        required: true,
        rule: checkCurrency,
        description: 'Only records in this currency, as a code of ISO 4217.',
        examples: ['USD'],
      }),
    ),
  ),
  min: amountFilter(`Only records whose \`${amount}\` is at least this.`),
  max: amountFilter(`Only records whose \`${amount}\` is at most this.`),
});

const paymentFilters = {
  ...filtersBy('amount'),
  status: choice(PAYMENT_STATUSES),
  method: choice(METHODS),
};
export const OperatorPaymentFileQuery = Type.Object(paymentFilters);
export type OperatorPaymentFileQuery = Static<typeof OperatorPaymentFileQuery>;
export const OperatorPaymentQuery = Type.Object({ ...pageQuery, ...paymentFilters });
export type OperatorPaymentQuery = Static<typeof OperatorPaymentQuery>;

const refundFilters = {
  ...filtersBy('amount'),
  paymentId: idOf('a payment'),
  status: choice(REFUND_STATUSES),
};
export const OperatorRefundFileQuery = Type.Object(refundFilters);
export type OperatorRefundFileQuery = Static<typeof OperatorRefundFileQuery>;
export const OperatorRefundQuery = Type.Object({ ...pageQuery, ...refundFilters });
export type OperatorRefundQuery = Static<typeof OperatorRefundQuery>;

const creditNoteFilters = {
  ...filtersBy('total'),
  number: Type.Optional(
    text({
      required: true,
      rule: documentedRule({ pattern: DOCUMENT_NUMBER }, (value) =>
        isDocumentNumber(value) ? [] : ['must be the number of a credit note'],
      ),
      description: "The credit note's number, in upper or lower case.",
      examples: ['CN-000001'],
    }),
  ),
};
export const OperatorCreditNoteFileQuery = Type.Object(creditNoteFilters);
export type OperatorCreditNoteFileQuery = Static<typeof OperatorCreditNoteFileQuery>;
export const OperatorCreditNoteQuery = Type.Object({ ...pageQuery, ...creditNoteFilters });
export type OperatorCreditNoteQuery = Static<typeof OperatorCreditNoteQuery>;

const company = {
  ...companyIds,
  companyName: Type.String({
    description:
      "The `organization` of the company's billing information. If it is empty, the company's name, and without a name its e-mail address.",
    examples: ['Analytical Engines'],
  }),
};

export const OperatorPayment = namedObject('OperatorPayment', {
  ...Payment.properties,
  ...company,
  invoiceNumber: Type.String({ examples: ['INV-000001'] }),
});
export const OperatorPaymentList = pageOf('OperatorPaymentList', OperatorPayment);
export type OperatorPaymentList = Static<typeof OperatorPaymentList>;

const OperatorRefund = namedObject('OperatorRefund', { ...Refund.properties, ...company });
export const OperatorRefundList = pageOf('OperatorRefundList', OperatorRefund);
export type OperatorRefundList = Static<typeof OperatorRefundList>;

const OperatorCreditNote = namedObject('OperatorCreditNote', { ...CreditNote.properties, ...company });
export const OperatorCreditNoteList = pageOf('OperatorCreditNoteList', OperatorCreditNote);
export type OperatorCreditNoteList = Static<typeof OperatorCreditNoteList>;
