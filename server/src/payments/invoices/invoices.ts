import type { AnyFeature } from '../../platform/feature/feature.ts';
import { type InvoiceListContext, registerInvoiceListRoutes } from './invoices.routes.ts';

/** The lists of invoices with their payments. */
export const invoiceLists = {
  routes: (server, context: InvoiceListContext) => registerInvoiceListRoutes(server, context),
} satisfies AnyFeature;
