export const messages = {
  title: 'Pay invoice {number}',
  pay: 'Pay {amount}',
  due: 'Amount due',
  with: 'Pay with',
  default: 'default',
  expires: 'Expires {date}',
  expired: 'Expired {date}',
  becomesDefault: '{name} becomes the default for later invoices, too.',
  credit: 'Your credit pays {credit} of it first; {rest} is charged.',
  addCard: 'Use another card',
  addFirst: 'There is no card to charge yet. Add one, then pay with it.',
  addCharges:
    'This invoice waits for a card: the one that you add is charged {amount} at once. It becomes the default.',
  addOther: 'Add a card, then pay with it. It becomes the default.',
  noAccount: 'This invoice is paid with PayPal, and no PayPal account is saved. Add one under Payment methods.',
  cancel: 'Cancel',
  close: 'Close',
  done: 'Done',
  requestId: 'Request id: {id}',
  nothingCharged: 'Nothing was charged.',
  notCharged: 'Invoice {number} is not paid',
  notSent: 'The bank could not be reached, and nothing was charged. Try again.',
  needsMethod: 'There is no card to charge. Add one, or choose one of the saved cards.',
  paid: { title: 'Paid {amount}', text: 'Invoice {number} is paid. Thank you.' },
  findingOut: {
    title: 'Finding out',
    text:
      'The answer about {amount} has not arrived yet. Paydesk keeps asking, also after ' +
      'this page is closed, and nothing is charged twice.',
  },
  review: {
    title: 'Being looked at',
    text:
      'The bank’s answer does not fit the invoice. Whoever runs this service ' +
      'looks at it; nothing else is charged meanwhile.',
  },
  reasons: {
    refused: 'The bank declined the charge without saying why.',
    funds: 'There is not enough money on the card.',
    expired: 'The card has expired.',
    lost: 'The card was reported as lost.',
    stolen: 'The card was reported as stolen.',
    processing: 'The bank could not process the charge just now.',
    details: 'The bank does not know the number or the code of the card.',
    confirm: 'The bank wants the holder to confirm the charge.',
    limit: 'The charge exceeds a limit of the card.',
    notSupported: 'The card can’t pay this kind of charge.',
    closed: 'The account is closed or restricted.',
    notAllowed: 'The bank does not allow this charge with the card.',
    gateway: 'The payment gateway does not accept this card.',
  },
  next: {
    otherCard: 'Use another card.',
    askBank: 'Ask your bank, or use another card.',
    later: 'Try again in a few minutes, or use another card.',
    checkCard: 'Use another card, or save the renewed one.',
  },
} as const;
