export const messages = {
  title: 'Payments',
  description: 'Every attempt to charge an invoice, of all companies.',
  paidWith: 'Paid with',
  credit: 'Credit',
  initiator: 'Started by',
  initiators: {
    manual: 'A person',
    automatic: 'The collection',
  },
  methods: {
    Card: 'Card',
    paypal: 'PayPal',
  },
  statuses: {
    Processing: 'Finding out',
    debit: 'Debit in progress',
    Succeeded: 'Succeeded',
    Failed: 'Failed',
    RequiresAction: 'Waits for confirmation',
    NeedsReview: 'Needs review',
  },
  empty: {
    title: 'No payments yet',
    text: 'A payment appears here when an invoice is charged.',
  },
} as const;
