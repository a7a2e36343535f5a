export const messages = {
  title: 'Balances',
  description: 'What each account holds, by currency.',
  empty: {
    title: 'No balances',
    text: 'The first invoice posts to the ledger.',
  },
} as const;
