import type { Gateways } from '../gateways/gateways.ts';
import type { Clock } from '../platform/calendar/clock.ts';
import type { AnyFeature } from '../platform/feature/feature.ts';
import { registerDocumentRoutes } from './documents.routes.ts';
import { invoiceIssued } from './issued-mail.ts';

/** The PDFs of invoices and credit notes. Without a real gateway, they say that they are samples. */
export const documents = {
  routes: (server, { gateways, clock }: { gateways: Gateways; clock: Clock }) =>
    registerDocumentRoutes(server, { hasSamples: !gateways.isReal, clock }),
  mails: { invoice_issued: invoiceIssued },
} satisfies AnyFeature;
