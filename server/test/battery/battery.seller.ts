import { type Actor, issueInvoice } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

const COMPANY = { table: 'companies', make: async (_service: TestService, { companyId }: Actor) => companyId };
const INVOICE = {
  table: 'invoices',
  make: async (service: TestService, { companyId }: Actor): Promise<string> =>
    (await issueInvoice(service, companyId)).id,
};

/** The battery's cases for the seller, the numbering and the operator's settings of a company. */
export const SELLER_CASES = {
  'GET /operator/seller': { access: 'operator' as const },
  'PUT /operator/seller': {
    access: 'operator' as const,
    body: () => ({
      name: 'Northwind Interfaces Ltd',
      addressLines: ['221 Harbour Street', 'Bristol'],
      taxId: 'GB1',
      email: 'billing@northwind.example',
      footerText: 'Thank you.',
      legalNote: 'Registered in England',
    }),
  },
  'GET /operator/companies/:company_id/billing-information': { access: 'operator' as const, names: COMPANY },
  'PUT /operator/companies/:company_id/billing-information': {
    access: 'operator' as const,
    body: () => ({
      firstName: 'Grace',
      lastName: 'Hopper',
      phoneNumber: '+1 555 0100',
      country: 'US',
      address: '1 Navy Yard',
      zipCode: '20374',
      province: 'DC',
      city: 'Washington',
      organization: 'Compilers',
      taxId: 'US-1',
    }),
    update: () => ({
      firstName: 'Ada',
      lastName: 'Lovelace',
      phoneNumber: '+44 20 7946 0000',
      country: 'GB',
      address: '12 St James Square',
      zipCode: 'SW1Y 4JH',
      province: 'London',
      city: 'London',
      organization: 'Analytical Engines',
      taxId: 'GB-1',
    }),
    names: COMPANY,
  },
  'GET /operator/companies/:company_id/billing-information/changes': { access: 'operator' as const, names: COMPANY },
  'GET /operator/invoices/:invoice_id/pdf': { access: 'operator' as const, names: INVOICE },
  'POST /operator/invoices/:invoice_id/charge': { access: 'operator' as const, names: INVOICE },
  'GET /operator/lost-numbers': { access: 'operator' as const },
  'GET /operator/numbering': { access: 'operator' as const },
  'PUT /operator/numbering': {
    access: 'operator' as const,
    body: () => ({
      series: 'seller',
      invoicePrefix: 'INV-',
      creditNotePrefix: 'CN-',
      yearlyRestart: false,
      timezone: 'UTC',
    }),
    update: () => ({
      series: 'company',
      invoicePrefix: 'RE-',
      creditNotePrefix: 'GU-',
      yearlyRestart: true,
      timezone: 'Europe/Berlin',
    }),
  },
};
