export const messages = {
  title: 'Credit notes',
  description: 'What corrects invoices after they were issued.',
  search: 'Search by number',
  empty: {
    title: 'No credit notes yet',
    text: 'Issue a credit note from the page of its invoice.',
  },
} as const;
