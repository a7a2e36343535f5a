import { BillingSettings } from '../../../customers/companies/companies.settings.schema.ts';
import { companyIds } from '../../../platform/http/company-ids/company-id.ts';
import { timestamp } from '../../../platform/http/schema/fields.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { LineItem, taxes } from '../../invoices/invoices.service.ts';

/** The lines of a bill and their sums. */
export const BILL_NUMBERS = {
  details: Type.Array(LineItem),
  subTotal: Type.String({ examples: ['48.00'] }),
  tax: Type.String({ examples: ['9.60'] }),
  total: Type.String({ examples: ['57.60'] }),
};

export const UpcomingInvoice = namedObject('UpcomingInvoice', {
  ...companyIds,
  period: Type.String({ description: 'The month of the upcoming invoice.', examples: ['2026-10'] }),
  startAt: timestamp(),
  endAt: timestamp('2026-11-01T00:00:00.000Z'),
  method: BillingSettings.properties.invoiceMethod,
  currency: Type.String({ examples: ['USD'] }),
  taxRate: Type.String({
    description: 'In percent; empty if the lines have several rates, see `taxes`.',
    examples: ['20'],
  }),
  taxes,
  ...BILL_NUMBERS,
  unpricedPaths: Type.Array(Type.String(), { description: 'Paths that have no price yet.', examples: [[]] }),
});
