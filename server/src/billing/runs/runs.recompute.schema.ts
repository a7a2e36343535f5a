import type { Static } from 'typebox';
import { BillingSettings } from '../../customers/companies/companies.settings.schema.ts';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { BILL_NUMBERS } from './batch/upcoming.schema.ts';

const side = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: ['48'] });

const InvoiceDifference = namedObject('InvoiceDifference', {
  line: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The position of the line in `details`, from 0; null for a field of the invoice as a whole.',
    examples: [0],
  }),
  field: Type.String({ examples: ['amount'] }),
  issued: side('The value on the invoice. Null if the invoice has no such line.'),
  recomputed: side('The value of the computation. Null if the computation makes no such line.'),
});
export type InvoiceDifference = Static<typeof InvoiceDifference>;

export const RecomputedInvoice = namedObject('RecomputedInvoice', {
  invoiceId: uuid(),
  ...companyIds,
  number: Type.String({ examples: ['INV-000001'] }),
  period: Type.String({ description: 'The month that was billed.', examples: ['2026-10'] }),
  startAt: timestamp(),
  endAt: timestamp('2026-11-01T00:00:00.000Z'),
  cutoff: Type.Integer({
    description: 'Usage that was stored up to this cutoff is on the invoice; later usage is not.',
    examples: [12],
  }),
  currency: Type.String({ examples: ['USD'] }),
  taxRate: Type.String({ description: 'The tax rate in percent at that time.', examples: ['20'] }),
  lateUsage: BillingSettings.properties.lateUsage,
  lateAfterCutoff: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description:
      'Usage of earlier periods that was stored after this cutoff is on the invoice too, as late usage; null if no late usage ' +
      'was possible.',
    examples: [11],
  }),
  matches: Type.Boolean({ description: 'True if the computed invoice equals the issued one.', examples: [true] }),
  differences: Type.Array(InvoiceDifference, {
    description: 'The differences; empty if everything matches.',
    examples: [[]],
  }),
  issued: Type.Object(BILL_NUMBERS, { description: 'The value on the invoice.' }),
  recomputed: Type.Object(BILL_NUMBERS, { description: 'The value computed today from the same usage and prices.' }),
});
