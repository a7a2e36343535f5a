export const messages = {
  title: 'Disputes',
  description:
    'Payments that the holder of the card or the account contests. Respond at the gateway before its deadline.',
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
