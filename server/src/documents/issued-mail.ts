import { issuedMail } from '../billing/invoices/mails/issued-mail.service.ts';
import type { Gateways } from '../gateways/gateways.ts';
import type { Db } from '../platform/database/database.ts';
import { notFound } from '../platform/errors.ts';
import type { MailTopic } from '../platform/feature/mail-declaration.ts';
import { readInvoiceDocument } from './read-document.ts';
import { createPdfRenderer, type PdfRenderer } from './renderer.ts';
import { sheetOfInvoice } from './sheet/sheet.ts';

/** Of this process; its threads start at the first mail, and end when they are idle. */
let renderer: PdfRenderer | undefined;

/** The mail about a new invoice, with its PDF. */
export const invoiceIssued = {
  ...issuedMail,
  draw: async ({ db, gateways }: { db: Db; gateways: Gateways }, { companyId, invoiceId }: MailTopic) => {
    if (invoiceId === null) throw notFound('invoice');
    renderer ??= createPdfRenderer();
    return renderer.render(companyId, async () =>
      sheetOfInvoice(await readInvoiceDocument(db, companyId, invoiceId), { hasSamples: !gateways.isReal }),
    );
  },
};
