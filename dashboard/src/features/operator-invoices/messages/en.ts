export const messages = {
  title: 'Invoices',
  description: 'The invoices of all companies.',
  search: 'Search by number',
  periodFrom: 'Period from',
  periodTo: 'Period to',
  due: 'Due',
  total: 'Total',
  empty: {
    title: 'No invoices yet',
    text: 'Start a billing run, or create an invoice for a company.',
  },
} as const;
