export const messages = {
  title: 'Refunds',
  description: 'What was returned to cards, PayPal accounts and credit.',
  source: 'Made by',
  sources: {
    operator: 'Paydesk',
    gateway: 'At the gateway',
  },
  statuses: {
    Processing: 'Finding out',
    Succeeded: 'Succeeded',
    Failed: 'Failed',
    NeedsReview: 'Needs review',
  },
  empty: {
    title: 'No refunds yet',
    text: 'Refund a payment from the page of its invoice.',
  },
} as const;
