import type { FastifyInstance, FastifyReply } from 'fastify';
import { findInvoiceCompany } from '../billing/invoices/invoices.service.ts';
import type { Clock } from '../platform/calendar/clock.ts';
import { route } from '../platform/http/route/route.ts';
import { fileContent } from '../platform/http/schema/fields.ts';
import { SellerBody } from '../seller/seller.schema.ts';
import { readCreditNoteDocument, readInvoiceDocument } from './read-document.ts';
import { createPdfRenderer } from './renderer.ts';
import { readSellerPreview } from './seller-preview.ts';
import { type Sheet, type SheetOptions, sheetOfInvoice } from './sheet/sheet.ts';
import { sheetOfCreditNote } from './sheet/sheet-credit-note.ts';

const pdf = fileContent('application/pdf');
/** The operator takes turns with the companies as if it were one of them. */
const OPERATOR = 'operator';

/** Registers the routes for PDFs of invoices and credit notes. */
export function registerDocumentRoutes(
  app: FastifyInstance,
  { clock, ...options }: SheetOptions & { clock: Clock },
): void {
  const renderer = createPdfRenderer();
  app.addHook('onClose', renderer.close);
  const render: Render = async (companyId, reply, read) => {
    let number = '';
    const bytes = await renderer.render(companyId, async () => {
      const sheet = await read();
      number = sheet.number;
      return sheet;
    });
    reply.header('content-disposition', `attachment; filename="${number}.pdf"`);
    return bytes;
  };

  route(app, {
    method: 'GET',
    url: '/payments/orders/:invoice_id/pdf',
    operationId: 'getInvoicePdf',
    tag: 'Invoices',
    summary: 'Read an invoice as a PDF',
    description:
      'Returns the invoice as a PDF on A4 pages. It shows the seller and the buyer as they were when the invoice ' +
      "was issued. `Content-Disposition` names the file after the invoice's number.",
    access: 'platform.billing.view',
    resource: 'invoice',
    response: { 200: pdf },
    errors: [],
    handler: ({ companyId, ids, reply }, db) =>
      render(companyId, reply, async () =>
        sheetOfInvoice(await readInvoiceDocument(db, companyId, ids.invoice_id), options),
      ),
  });
  route(app, {
    method: 'GET',
    url: '/payments/credit-notes/:credit_note_id/pdf',
    operationId: 'getCreditNotePdf',
    tag: 'Invoices',
    summary: 'Read a credit note as a PDF',
    description:
      'Returns the credit note as a PDF, which names the corrected invoice and the reason. The list of the credit ' +
      'notes of an invoice has the ids.',
    access: 'platform.billing.view',
    resource: 'credit note',
    response: { 200: pdf },
    errors: [],
    handler: ({ companyId, ids, reply }, db) =>
      render(companyId, reply, async () =>
        sheetOfCreditNote(await readCreditNoteDocument(db, companyId, ids.credit_note_id), options),
      ),
  });
  route(app, {
    method: 'GET',
    url: '/operator/invoices/:invoice_id/pdf',
    operationId: 'getOperatorInvoicePdf',
    tag: 'Operator',
    summary: "Read any company's invoice as a PDF",
    description: 'The same file as the company gets.',
    access: 'operator',
    resource: 'invoice',
    response: { 200: pdf },
    errors: [],
    handler: async ({ ids, reply }, db) => {
      const companyId = await findInvoiceCompany(db, ids.invoice_id);
      return render(OPERATOR, reply, async () =>
        sheetOfInvoice(await readInvoiceDocument(db, companyId, ids.invoice_id), options),
      );
    },
  });
  registerSellerPreview(app, render, clock);
}

type Render = (companyId: string, reply: FastifyReply, read: () => Promise<Sheet>) => Promise<Buffer>;

function registerSellerPreview(app: FastifyInstance, render: Render, clock: Clock): void {
  route(app, {
    method: 'POST',
    url: '/operator/seller/preview',
    operationId: 'previewSeller',
    tag: 'Operator',
    summary: 'Read a sample invoice of a changed seller',
    description:
      'The body is that of `PUT /operator/seller`. Returns a PDF of a sample invoice with these details; fields that are absent are as ' +
      'stored. Nothing is changed or kept.',
    access: 'operator',
    body: SellerBody,
    response: { 200: pdf },
    errors: [],
    audit: { unrecorded: 'The request changes nothing.' },
    handler: ({ body, reply }, db) => render(OPERATOR, reply, () => readSellerPreview(db, body, clock())),
  });
}
