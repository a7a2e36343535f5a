import type { Static } from 'typebox';
import { invoiceFields, METHODS, STATUSES } from '../../billing/invoices/record/invoices.schema.ts';
import { stateFilter } from '../../billing/invoices/record/state.schema.ts';
import { DOCUMENT_NUMBER, isDocumentNumber } from '../../billing/numbering/numbering.service.ts';
import { checkDateOrInstant } from '../../platform/http/schema/instants.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { documentedRule, oneOfRule, UUID_SHAPE } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { checkCurrency } from '../../platform/money/currencies.ts';
import { checkDecimal } from '../../platform/money/decimal.ts';
import { Payment } from '../payment/payment.schema.ts';

const LOOKS_LIKE_ID = new RegExp(`^${UUID_SHAPE}$`);

/** An amount in a query: a decimal without an exponent, which a float could not represent exactly. */
const amountFilter = (which: string) =>
  Type.Optional(
    text({ required: true, rule: checkDecimal, description: `Invoices whose total is ${which}.`, examples: ['10.00'] }),
  );

const invoiceFilters = {
  receipt: Type.Optional(
    text({
      required: true,
      rule: documentedRule({ pattern: `${UUID_SHAPE}|${DOCUMENT_NUMBER}` }, (value) =>
        isDocumentNumber(value) || LOOKS_LIKE_ID.test(value) ? [] : ['must be an invoice id or number'],
      ),
      description: "The invoice's id or number.",
      examples: ['INV-000001'],
    }),
  ),
  min: amountFilter('at least this'),
  max: amountFilter('at most this'),
  status: Type.Optional(
    text({
      required: true,
      rule: oneOfRule(STATUSES),
      description: `Only invoices with this status: ${STATUSES.join(', ')}.`,
    }),
  ),
  state: Type.Optional(stateFilter),
  method: Type.Optional(
    text({
      required: true,
      rule: oneOfRule(METHODS),
      description: `Only invoices with this method: ${METHODS.join(', ')}.`,
    }),
  ),
  currency: Type.Optional(
    text({
      required: true,
      rule: checkCurrency,
      description: 'Only invoices in this currency, as a code of ISO 4217.',
      examples: ['USD'],
    }),
  ),
  startAt: Type.Optional(
    text({
      required: true,
      rule: checkDateOrInstant,
      description: 'Invoices whose billing period starts at this date or instant, or later.',
    }),
  ),
  endAt: Type.Optional(
    text({
      required: true,
      rule: checkDateOrInstant,
      description: 'Invoices whose billing period ends by this instant; a bare date includes that day.',
    }),
  ),
};

export const InvoiceFileQuery = Type.Object(invoiceFilters);
export type InvoiceFileQuery = Static<typeof InvoiceFileQuery>;

export const InvoiceQuery = Type.Object({ ...pageQuery, ...invoiceFilters });
export type InvoiceQuery = Static<typeof InvoiceQuery>;

export const InvoiceWithPayment = namedObject('InvoiceWithPayment', {
  ...invoiceFields,
  payment: Type.Union([Payment, Type.Null()], {
    description:
      'The latest payment, whether it succeeded or not. A second capture that was accepted as credit is not included.',
  }),
});

export const InvoiceList = pageOf('InvoiceList', InvoiceWithPayment);
export type InvoiceList = Static<typeof InvoiceList>;
