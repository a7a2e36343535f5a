import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route/route.ts';
import { CreditNote, CreditNoteBody, CreditNoteList, CreditNoteQuery } from '../record/corrections.schema.ts';
import { Invoice } from '../record/invoices.schema.ts';
import {
  type FindLivePayment,
  findInvoice,
  issueCreditNote,
  listCreditNotes,
  listCreditNotesOfAny,
  voidInvoice,
} from './corrections.ts';

/** The only ways to correct an issued invoice. */
export function registerCorrectionRoutes(app: FastifyInstance, findLivePayment: FindLivePayment): void {
  route(app, {
    method: 'POST',
    url: '/operator/invoices/:invoice_id/credit-notes',
    operationId: 'createCreditNote',
    tag: 'Operator',
    summary: 'Credit an invoice',
    description:
      'Send either `amount` or `details`. The credit notes of an invoice cannot exceed its total. Before the invoice is paid, a ' +
      'credit note lowers the amount to charge. Afterwards, a credit note records the amount to refund; it does not refund ' +
      'anything itself. A payment that waits until the customer has confirmed it is canceled first.',
    access: 'operator',
    resource: 'invoice',
    body: CreditNoteBody,
    exactNumbers: ['amount'],
    response: { 201: CreditNote, 200: CreditNote },
    examples: { 200: { details: [] }, 201: { details: [] } },
    errors: [
      'reference_taken',
      'credit_exceeds_invoice',
      'invoice_voided',
      'payment_in_progress',
      'payment_under_review',
      'service_unavailable',
    ],
    idempotency: 'create',
    heldWithCharges: true,
    audit: {
      audience: 'company',
      action: 'credit_note.created',
      fields: ['number', 'invoiceId', 'reason', 'currency', 'subTotal', 'tax', 'total'],
    },
    async transaction({ ids, body, reply }, tx) {
      const { status, note } = await issueCreditNote(tx, ids.invoice_id, body, findLivePayment);
      reply.code(status);
      return note;
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/invoices/:invoice_id/credit-notes',
    operationId: 'listOperatorInvoiceCreditNotes',
    tag: 'Operator',
    summary: "List any company's credit notes of an invoice",
    description: 'The newest credit note comes first.',
    access: 'operator',
    resource: 'invoice',
    query: CreditNoteQuery,
    response: { 200: CreditNoteList },
    errors: [],
    handler: ({ ids, query }, db) => listCreditNotesOfAny(db, ids.invoice_id, query),
  });
  route(app, {
    method: 'GET',
    url: '/payments/orders/:invoice_id/credit-notes',
    operationId: 'listInvoiceCreditNotes',
    tag: 'Invoices',
    summary: 'List the credit notes of an invoice',
    description: 'The newest credit note comes first.',
    access: 'platform.billing.view',
    resource: 'invoice',
    query: CreditNoteQuery,
    response: { 200: CreditNoteList },
    errors: [],
    handler: ({ companyId, ids, query }, db) => listCreditNotes(db, companyId, ids.invoice_id, query),
  });
  registerVoidRoute(app, findLivePayment);
}

function registerVoidRoute(app: FastifyInstance, findLivePayment: FindLivePayment): void {
  route(app, {
    method: 'POST',
    url: '/operator/invoices/:invoice_id/void',
    operationId: 'voidInvoice',
    tag: 'Operator',
    summary: 'Void an invoice',
    description:
      'Voids an invoice that is not paid and has no credit notes. A void invoice can neither be paid nor credited. It keeps its ' +
      'number and its `status`; `voidedAt` says when it was voided. Voiding it again changes nothing. A payment that waits ' +
      'until the customer has confirmed it is canceled first.',
    access: 'operator',
    resource: 'invoice',
    response: { 200: Invoice },
    examples: { 200: { voidedAt: '2026-11-02T09:30:00.000Z', paymentId: null } },
    errors: ['invoice_paid', 'invoice_credited', 'payment_in_progress', 'payment_under_review', 'service_unavailable'],
    idempotency: 'create',
    heldWithCharges: true,
    audit: {
      audience: 'company',
      action: 'invoice.voided',
      fields: ['state', 'voidedAt'],
      before: ({ ids }, tx) => findInvoice(tx, ids.invoice_id),
    },
    transaction: ({ ids }, tx) => voidInvoice(tx, ids.invoice_id, findLivePayment),
  });
}
