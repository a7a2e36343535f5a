export const messages = {
  title: 'Disputes',
  description: 'Payments that a cardholder contests. Respond at the gateway before its deadline.',
  statuses: {
    NeedsResponse: 'Needs a response',
    UnderReview: 'Under review',
    Won: 'Won',
    Lost: 'Lost',
    Closed: 'Closed',
  },
  withdrawn: 'Withdrawn',
  empty: {
    title: 'No disputes',
    text: 'A dispute appears here as soon as a gateway reports it.',
  },
} as const;
