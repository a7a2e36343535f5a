import type { Named, RouteCases } from '../../test/battery/battery.ts';
import { INVOICE } from '../../test/battery/cases/named.ts';
import { credit } from '../../test/billing/invoice-documents.ts';
import { expectStatus, issueInvoice } from '../../test/customers/actors.ts';

const CREDIT_NOTE: Named = {
  table: 'credit_notes',
  make: async (service, { companyId }) => {
    const invoice = await issueInvoice(service, companyId);
    return expectStatus(await credit(service, invoice.id, { amount: '1.00' }), 201).body.id;
  },
};

export const CASES: RouteCases = {
  'GET /payments/orders/:invoice_id/pdf': { access: 'platform.billing.view', names: INVOICE },
  'GET /payments/credit-notes/:credit_note_id/pdf': { access: 'platform.billing.view', names: CREDIT_NOTE },
  'GET /operator/invoices/:invoice_id/pdf': { access: 'operator', names: INVOICE },
  'POST /operator/seller/preview': {
    access: 'operator',
    body: () => ({ name: 'Northwind Interfaces Ltd', addressLines: ['221 Harbour Street', 'Bristol'] }),
    longTexts: { footerText: 2_000, legalNote: 2_000 },
    changesNothing: 'It only draws a sample.',
  },
};
