export const messages = {
  title: 'Reconciliation',
  description: 'The ledger beside the gateway’s books. Each difference is money that one of the two does not know.',
  compared: '{count, plural, one {# entry compared} other {# entries compared}}',
  agree: 'Both books agree',
  others:
    '{count, plural, one {# entry is of another installation that shares the account.} other {# entries are of other installations that share the account.}}',
  difference: 'Difference',
  here: 'Here',
  there: 'At the gateway',
  record: 'Record',
  kinds: {
    missing_here: 'Missing here',
    missing_there: 'Missing at the gateway',
    amount: 'Another amount',
    state: 'Another state',
  },
  entries: {
    payment: 'Payment',
    refund: 'Refund',
    dispute: 'Dispute',
    fee: 'Fee',
    payout: 'Payout',
  },
  stopped: 'The comparison has stopped',
  comparing: 'Comparing',
  differences: '{count, plural, one {# difference} other {# differences}}',
} as const;
