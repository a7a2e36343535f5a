import type { Clock } from '../../platform/calendar/clock.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerInvoiceListRoutes } from './invoices.routes.ts';

/** The lists of invoices with their payments. */
export const invoiceLists = {
  routes: (server, { clock }: { clock: Clock }) => registerInvoiceListRoutes(server, { clock }),
} satisfies AnyFeature;
