/** The words of the hosted page in one language. */
export type PageTexts = {
  invoice: (number: string) => string;
  /** The seller where none is set. */
  noSeller: string;
  headlines: { due: string; paid: string; void: string };
  dueOn: (day: string) => string;
  paidOn: (day: string) => string;
  voidedOn: (day: string) => string;
  pdf: string;
  pay: {
    title: string;
    amount: (amount: string) => string;
    saved: string;
    mandate: string;
    otherCard: string;
    /** What happens to a new card. */
    newCardHint: string;
    paypal: string;
    noCard: string;
    noPaypal: string;
    failed: string;
  };
  fields: {
    cardNumber: string;
    expMonth: string;
    expYear: string;
    /** Two letters in place of a year. */
    yearHint: string;
    cvv: string;
    cardName: string;
    country: string;
    chooseCountry: string;
  };
  wrong: { cardNumber: string; expMonth: string; expYear: string; cvv: string; cardName: string; country: string };
  notices: { check_card: string; limited: string; unavailable: string; no_method: string; not_taken: string };
  reasons: Record<DeclineReason, string>;
  next: Record<NextStep, string>;
  confirm: { title: string; text: string; approve: string; refuse: string; open: string; sandbox: string };
  processing: {
    title: string;
    /** While payments wait. */
    paused: string;
    charge: string;
    /** While a direct debit is on its way. */
    debit: string;
    review: string;
    hold: string;
    again: string;
  };
  paid: { title: string; text: string; nothingDue: string };
  void: { title: string; text: string };
  details: {
    title: string;
    from: string;
    to: string;
    number: string;
    issued: string;
    due: string;
    period: string;
    description: string;
    quantity: string;
    amount: string;
    subTotal: string;
    tax: string;
    total: string;
    credited: string;
    partPaid: string;
    amountDue: string;
  };
  sandbox: string;
  errors: Record<'unknown' | 'tooMany' | 'refused' | 'unavailable' | 'broken', { title: string; text: string }>;
};

export type DeclineReason =
  | 'refused'
  | 'funds'
  | 'expired'
  | 'lost'
  | 'processing'
  | 'details'
  | 'confirm'
  | 'limit'
  | 'notAllowed';
export type NextStep = 'otherCard' | 'later';
