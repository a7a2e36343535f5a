/** Who issues the documents, and how they are numbered. */
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
  },
};
