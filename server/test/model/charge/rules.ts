/** The rules of the charge (docs/charge.md) that a configuration keeps or leaves out. */
export type Rules = {
  /** What the keys at the gateway, and the question there, derive from. */
  keysFrom: 'debt' | 'invoice' | 'payment';
  /** An object's number is one more than the highest that the gateway shows, or than the number of payments here. */
  numbersFrom: 'gateway' | 'rows';
  /**
   * Who asks the gateway before an object is created: everybody, the first sender of a payment but no reconciler, only such a sender in a
   * database that noticed that it went back, or nobody.
   */
  asks: 'always' | 'first sender' | 'once noticed' | 'never';
  /** The gateway is asked before a payment becomes failed, too. */
  asksBeforeFailing: boolean;
  /** Other gateways are asked first, before an object is created and before a payment fails. */
  asksOtherGateways: 'always' | 'before creating' | 'never';
  /** Open objects that the payment has not recorded are canceled, and the gateway is asked again. */
  cancelsOpenObjects: boolean;
  /** Any capture stops the create, whether the books have it or not. */
  stopsAtAnyCapture: boolean;
  /** The create leaves so soon after the answer that no key is forgotten in between. */
  createsWithinWindow: boolean;
  /** A key that belongs to another request leads to asking; it is no refusal. */
  asksAfterConflicts: boolean;
  /** T2 records an object only for a payment that has not ended and has no other object; only a recorded one is confirmed. */
  recordsBeforeConfirming: boolean;
  /** A declined object is canceled before the payment fails. */
  cancelsDeclines: boolean;
  /** An object that waits for its customer is open for whoever asks or adopts, as one that nobody has confirmed. */
  waitingIsOpen: boolean;
  /** A payment that waits for its customer is canceled at the gateway before it fails, and before another card is charged. */
  cancelsWaiting: 'always' | 'before failing' | 'never';
  /** The gateway says whether the customer has confirmed, also once the time for that has passed. */
  asksAtExpiry: boolean;
  /** A debit on its way stops every create. */
  stopsAtDebits: boolean;
  /** A debit on its way has not failed by being canceled: the gateway goes on with it. */
  debitsAreNotCanceled: boolean;
  /** A payment whose answer is lost stays open. */
  lostAnswersAreUnknown: boolean;
  /** An invoice has one payment that has not failed. */
  hasOneLivePayment: boolean;
  /** A held database bills no month. */
  holdStopsRuns: boolean;
  /** A held database writes no payment as failed: what its process was told before the database went back is out of date. */
  holdStopsFailures: boolean;
  /** A hold lasts until requests that were sent before have arrived, and the gateway's search shows them. */
  holdOutlastsRequests: boolean;
  /** Adopting writes an invoice for a capture that has none. */
  adoptsWithoutInvoice: boolean;
  /** Adopting cancels open objects. */
  adoptClosesObjects: boolean;
  /** Adopting writes the payment of a debit that is on its way. */
  adoptsDebits: boolean;
  /** Of the objects of a payment that is not here, those that its mark stands for: they are not missed once that is here. */
  markStandsFor: 'canceled objects' | 'uncaptured objects' | 'all objects';
  /** A capture is not missed once its payment is here, although that has failed, or has another capture. */
  endedPaymentsHideCaptures: boolean;
};

/** The rules as they are. */
export const ALL_RULES: Rules = {
  keysFrom: 'debt',
  numbersFrom: 'gateway',
  asks: 'always',
  asksBeforeFailing: true,
  asksOtherGateways: 'always',
  cancelsOpenObjects: true,
  stopsAtAnyCapture: true,
  createsWithinWindow: true,
  asksAfterConflicts: true,
  recordsBeforeConfirming: true,
  cancelsDeclines: true,
  waitingIsOpen: true,
  cancelsWaiting: 'always',
  asksAtExpiry: true,
  stopsAtDebits: true,
  debitsAreNotCanceled: true,
  lostAnswersAreUnknown: true,
  hasOneLivePayment: true,
  holdStopsRuns: true,
  holdStopsFailures: true,
  holdOutlastsRequests: true,
  adoptsWithoutInvoice: true,
  adoptClosesObjects: true,
  adoptsDebits: true,
  markStandsFor: 'canceled objects',
  endedPaymentsHideCaptures: false,
};

/** What can happen in a configuration, and how much of it. */
export type Bounds = {
  processes: number;
  payments: number;
  objects: number;
  /** The company may be charged at any of them. */
  gateways: number;
  /** Restore: every process starts again. Failover: they live on. Split: the last one goes on with the old database. */
  goesBack: 'never' | 'restore' | 'failover' | 'split';
  /** How often the database may go back. */
  timesBack: number;
  /** When the database that went back is held: at once, at any later time while something is missing, or never. */
  isNoticed: 'at once' | 'later' | 'never';
  /** Usage may arrive before the run, which a restored database may have lost. */
  usageGrows: boolean;
  /** The first question is sent while T1 commits, and may be answered before. */
  asksDuringIntent: boolean;
  /** The gateway refuses to create objects, or can't be reached. */
  refuses: boolean;
  /** An error that the gateway keeps with a key is got round by an object that takes the number. */
  skips: boolean;
  /** Banks may want charges confirmed: then the customer confirms, refuses, or never comes. */
  asksCustomers: boolean;
  /** Charges may be debits, which are on their way for days, and settle or come back. */
  sendsDebits: boolean;
  /** The gateway can't list: it shows objects that the books know, and a search shows captures after a while. */
  searchLags: boolean;
  /** The gateway captures a debt once, whatever objects there are. */
  capturesOnce: boolean;
  /** At some time nothing breaks any more. */
  calmsDown: boolean;
};

export const DEFAULT_BOUNDS: Bounds = {
  processes: 1,
  payments: 2,
  objects: 2,
  gateways: 1,
  goesBack: 'restore',
  timesBack: 1,
  isNoticed: 'at once',
  usageGrows: false,
  asksDuringIntent: false,
  refuses: false,
  skips: false,
  asksCustomers: false,
  sendsDebits: false,
  searchLags: false,
  capturesOnce: false,
  calmsDown: false,
};

export type Setting = { rules: Rules; bounds: Bounds };
