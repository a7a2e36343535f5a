import type { Clock } from '../clock.ts';
import type { AnyFeature } from '../feature.ts';
import type { Gateways } from '../gateways/gateways.ts';
import { registerCorrectionRoutes } from './invoices.corrections.routes.ts';
import { registerInvoiceDocumentRoutes } from './invoices.document.routes.ts';
import { creditNoteEvents, invoiceEvents, paymentEvents } from './invoices.events.ts';
import { registerInvoiceReadRoutes } from './invoices.read.routes.ts';
import { registerInvoiceRoutes } from './invoices.routes.ts';

/** Invoices, credit notes and their documents. */
export const invoices = {
  routes: (server, { clock, gateways }: { clock: Clock; gateways: Gateways }) => {
    registerInvoiceRoutes(server, { clock, needsSeller: gateways.isReal });
    registerInvoiceReadRoutes(server, { clock });
    registerInvoiceDocumentRoutes(server, { hasSamples: !gateways.isReal });
    registerCorrectionRoutes(server);
  },
  events: { ...invoiceEvents.declarations, ...paymentEvents.declarations, ...creditNoteEvents.declarations },
} satisfies AnyFeature;
