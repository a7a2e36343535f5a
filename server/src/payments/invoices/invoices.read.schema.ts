import type { Static } from 'typebox';
import { DOCUMENT_NUMBER, isDocumentNumber } from '../../billing/numbering/numbering.service.ts';
import { companyIdText } from '../../platform/http/company-ids/company-id.ts';
import { pageQuery } from '../../platform/http/schema/pagination.ts';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { InvoiceQuery } from './invoices.schema.ts';

/** The operator's filters, which combine with AND. */
export const OperatorInvoiceQuery = Type.Object({
  ...pageQuery,
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
});
export type OperatorInvoiceQuery = Static<typeof OperatorInvoiceQuery>;
