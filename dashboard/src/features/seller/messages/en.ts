export const messages = {
  title: 'Seller',
  description: 'Who issues the invoices. Later changes do not alter invoices that exist.',
  name: 'Name',
  address: 'Address, a line each',
  taxId: 'Tax number',
  email: 'E-mail',
  footer: 'Footer',
  legal: 'Legal note',
  onInvoice: 'On the invoice',
  saved: 'The seller is saved',
  preview: 'Preview',
} as const;
