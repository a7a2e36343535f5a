import { declareEvents } from '../../../outbox/events/events.service.ts';
import { CreditNote } from './corrections.schema.ts';
import { Invoice } from './invoices.schema.ts';

const PAYMENT_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41';

/** The events of invoices. */
export const invoiceEvents = declareEvents({
  'invoice.created': {
    audience: 'company',
    summary: 'The operator or a billing run issued an invoice.',
    data: Invoice,
    example: { status: 'Processing', paymentId: null, voidedAt: null },
  },
  'invoice.succeeded': {
    audience: 'company',
    summary: 'An invoice was paid.',
    data: Invoice,
    example: { status: 'Succeeded', paymentId: PAYMENT_ID, voidedAt: null },
  },
  'invoice.failed': {
    audience: 'company',
    summary: 'A charge of an invoice failed; a later charge may succeed.',
    data: Invoice,
    example: { status: 'Failed', paymentId: null, voidedAt: null },
  },
  'invoice.voided': {
    audience: 'company',
    summary: 'An invoice was voided.',
    data: Invoice,
    example: { status: 'Processing', paymentId: null, voidedAt: '2026-10-02T00:00:00.000Z' },
  },
});
export type InvoiceEventType = keyof typeof invoiceEvents.declarations;

/** The events of credit notes. */
export const creditNoteEvents = declareEvents({
  'credit_note.created': { audience: 'company', summary: 'A credit note was issued.', data: CreditNote },
});
