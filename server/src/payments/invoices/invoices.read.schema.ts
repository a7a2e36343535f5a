import type { Static } from 'typebox';
import { DOCUMENT_NUMBER, isDocumentNumber } from '../../billing/numbering/numbering.service.ts';
import { companyIdText } from '../../platform/http/company-ids/company-id.ts';
import { checkDateOrInstant } from '../../platform/http/schema/instants.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { documentedRule, patternRule, UUID } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { InvoiceQuery, InvoiceWithPayment } from './invoices.schema.ts';

/** The operator's filters, which combine with AND. */
const filters = {
  companyId: Type.Optional(companyIdText({ description: 'Only invoices of this company.' })),
  number: Type.Optional(
    text({
      required: true,
      rule: documentedRule({ pattern: DOCUMENT_NUMBER }, (value) =>
        isDocumentNumber(value) ? [] : ['must be the number of an invoice'],
      ),
      description: "The invoice's number, in upper or lower case.",
      examples: ['INV-000001'],
    }),
  ),
  status: InvoiceQuery.properties.status,
  state: InvoiceQuery.properties.state,
  startAt: InvoiceQuery.properties.startAt,
  endAt: InvoiceQuery.properties.endAt,
  method: InvoiceQuery.properties.method,
  currency: InvoiceQuery.properties.currency,
  min: InvoiceQuery.properties.min,
  max: InvoiceQuery.properties.max,
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
  runId: Type.Optional(
    text({
      required: true,
      rule: patternRule(UUID, 'must be the id of a billing run'),
      description: 'Only invoices that this billing run has issued.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
    }),
  ),
};

export const OperatorInvoiceFileQuery = Type.Object(filters);
export type OperatorInvoiceFileQuery = Static<typeof OperatorInvoiceFileQuery>;

export const OperatorInvoiceQuery = Type.Object({ ...pageQuery, ...filters });
export type OperatorInvoiceQuery = Static<typeof OperatorInvoiceQuery>;

export const OperatorInvoiceList = pageOf(
  'OperatorInvoiceList',
  namedObject('ListedOperatorInvoice', {
    ...InvoiceWithPayment.properties,
    companyName: Type.String({
      description:
        "The `organization` of the company's billing information. If it is empty, the company's name, and without a name its " +
        'e-mail address.',
      examples: ['Analytical Engines'],
    }),
  }),
);
export type OperatorInvoiceList = Static<typeof OperatorInvoiceList>;
