import type { FastifyInstance } from 'fastify';
import { fileContent } from '../http/fields.ts';
import { route } from '../http/route.ts';
import { readInvoiceDocument } from './invoices.read-document.ts';

/** The invoice on paper. */
export function registerInvoiceDocumentRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/payments/orders/:invoice_id/pdf',
    tag: 'Invoices',
    summary: 'Read an invoice as a PDF',
    description:
      'A4. Seller and buyer are as they were when the invoice was issued. `Content-Disposition` names the file after the ' +
      "invoice's number.",
    access: 'platform.billing.view',
    resource: 'invoice',
    response: { 200: fileContent('application/pdf') },
    errors: [],
    handler: async ({ companyId, id, reply }, db) => {
      const document = await readInvoiceDocument(db, companyId, id);
      // Loaded when it is first asked for: fonts and all, it takes longer than the rest of the start.
      const { renderInvoicePdf } = await import('./invoices.pdf.ts');
      reply.header('content-disposition', `attachment; filename="${document.number}.pdf"`);
      return renderInvoicePdf(document);
    },
  });
}
