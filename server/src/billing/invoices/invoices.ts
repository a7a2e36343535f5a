import type { Gateways } from '../../gateways/gateways.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCorrectionRoutes } from './corrections/corrections.routes.ts';
import type { FindLivePayment } from './corrections/corrections.ts';
import { registerInvoiceRoutes } from './invoices.routes.ts';
import { creditNoteEvents, invoiceEvents } from './record/invoices.events.ts';
import { INVOICE_DOCUMENT } from './record/invoices.parts.queries.ts';
import { addInvoiceSumChanges } from './record/invoices.worker.queries.ts';

type RouteContext = { clock: Clock; gateways: Gateways; findLivePayment: FindLivePayment };

/** Its invoice, which has the currency, may be lost where the credit note is not. */
const CREDIT_NOTE = `(
  SELECT row_to_json(whole) FROM (
    SELECT credit_notes.*, currency FROM invoices
    WHERE invoices.company_id = credit_notes.company_id AND invoices.id = credit_notes.invoice_id
  ) AS whole)`;

/** The invoices feature: invoices and credit notes. */
export const invoices = {
  routes: (server, { clock, gateways, findLivePayment }: RouteContext) => {
    registerInvoiceRoutes(server, { clock, needsSeller: gateways.isReal });
    registerCorrectionRoutes(server, findLivePayment);
  },
  journaled: {
    invoice: { table: 'invoices', document: INVOICE_DOCUMENT },
    void: { table: 'invoices', document: "json_build_object('voidedAt', voided_at)" },
    credit_note: { table: 'credit_notes', document: CREDIT_NOTE },
  },
  maintain: addInvoiceSumChanges,
  events: { ...invoiceEvents.declarations, ...creditNoteEvents.declarations },
} satisfies AnyFeature;
