import type { Gateways } from '../../gateways/gateways.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCorrectionRoutes } from './corrections/corrections.routes.ts';
import { registerInvoiceDocumentRoutes } from './documents/documents.routes.ts';
import { registerInvoiceReadRoutes } from './invoices.read.routes.ts';
import { registerInvoiceRoutes } from './invoices.routes.ts';
import { creditNoteEvents, invoiceEvents, paymentEvents } from './record/invoices.events.ts';

/** The invoices feature: invoices, credit notes and their documents. */
export const invoices = {
  routes: (server, { clock, gateways }: { clock: Clock; gateways: Gateways }) => {
    registerInvoiceRoutes(server, { clock, needsSeller: gateways.isReal });
    registerInvoiceReadRoutes(server, { clock });
    registerInvoiceDocumentRoutes(server, { hasSamples: !gateways.isReal });
    registerCorrectionRoutes(server);
  },
  events: { ...invoiceEvents.declarations, ...paymentEvents.declarations, ...creditNoteEvents.declarations },
} satisfies AnyFeature;
