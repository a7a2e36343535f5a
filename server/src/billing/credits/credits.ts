import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCreditRoutes } from './credits.routes.ts';
import type { InvoiceOfPayment } from './credits.service.ts';

/** Credit that pays invoices before a card does. */
export const credits = {
  routes: (server, { invoiceOfPayment }: { invoiceOfPayment: InvoiceOfPayment }) =>
    registerCreditRoutes(server, invoiceOfPayment),
  journaled: { credit_entry: { table: 'credit_entries', document: 'row_to_json(credit_entries)' } },
} satisfies AnyFeature;
