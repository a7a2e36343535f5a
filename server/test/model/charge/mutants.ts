import type { Configuration } from '../checker/model.ts';
import { NEVER_FAILS_PAID } from './charge.ts';
import { ASKS, charge, DEBITS, FAILOVER, LATE, PAYPAL, SPLIT, TWO, UNNOTICED } from './configurations.ts';

const CAPTURES_ALONE = { asks: 'once noticed', cancelsOpenObjects: false, adoptClosesObjects: false } as const;

/** Each leaves one rule out. */
export const CHARGE_MUTANTS: Configuration[] = [
  charge(
    { name: 'charge-x-key-of-payment', about: 'keys derive from the payment, and nobody asks', fails: 'R1 owed once' },
    { rules: { keysFrom: 'payment', asks: 'never', asksBeforeFailing: false }, bounds: UNNOTICED },
  ),
  charge(
    { name: 'charge-x-key-of-invoice', about: 'keys and questions derive from the invoice', fails: 'R1 owed once' },
    { rules: { keysFrom: 'invoice' }, bounds: { objects: 3 } },
    ['R1 owed once'],
  ),
  charge(
    {
      name: 'charge-x-key-of-invoice-billed',
      about: 'the same, and a held database bills the month',
      fails: 'R1 owed once',
    },
    { rules: { keysFrom: 'invoice', holdStopsRuns: false }, bounds: { objects: 3 } },
    ['R1 owed once'],
  ),
  charge(
    { name: 'charge-x-number-of-rows', about: 'an object’s number counts rows', fails: 'R1 owed once' },
    { rules: { numbersFrom: 'rows' }, bounds: { ...SPLIT, refuses: true } },
  ),
  charge(
    { name: 'charge-x-never-asked', about: 'nobody asks before the create', fails: 'R1 owed once' },
    { rules: { asks: 'never' }, bounds: UNNOTICED },
  ),
  charge(
    {
      name: 'charge-x-reconciler-asks-not',
      about: 'only the first sender asks before the create',
      fails: 'R1 owed once',
    },
    { rules: { asks: 'first sender' }, bounds: UNNOTICED },
  ),
  charge(
    {
      name: 'charge-x-asked-once-noticed',
      about: 'only a database that noticed that it went back asks before the create',
      fails: 'R1 owed once',
    },
    { rules: { asks: 'once noticed' }, bounds: UNNOTICED },
  ),
  charge(
    {
      name: 'charge-x-captures-alone',
      about: 'it asks once it has noticed, for captures alone, and adopts captures alone',
      fails: 'R1 owed once',
    },
    { rules: CAPTURES_ALONE },
    ['R1 owed once'],
  ),
  charge(
    { name: 'charge-x-captures-alone-missed', about: 'the same, with the books', fails: 'R2 captures in the books' },
    { rules: CAPTURES_ALONE },
    ['R2 captures in the books'],
  ),
  charge(
    { name: 'charge-x-open-objects-left', about: 'open objects are not canceled', fails: 'R1 owed once' },
    { rules: { cancelsOpenObjects: false }, bounds: UNNOTICED },
  ),
  charge(
    { name: 'charge-x-booked-passed-over', about: 'a capture that the books have stops nobody', fails: 'R1 owed once' },
    { rules: { stopsAtAnyCapture: false }, bounds: { ...TWO, ...FAILOVER, ...UNNOTICED } },
  ),
  charge(
    { name: 'charge-x-late-create', about: 'the create may leave long after the answer', fails: 'R1 owed once' },
    { rules: { createsWithinWindow: false }, bounds: { ...SPLIT, objects: 3 } },
  ),
  charge(
    {
      name: 'charge-x-conflict-refuses',
      about: 'a key that belongs to another request is a refusal',
      fails: NEVER_FAILS_PAID,
    },
    { rules: { asksAfterConflicts: false }, bounds: { ...SPLIT, usageGrows: true } },
    [NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-x-failed-unasked', about: 'nobody asks before a payment fails', fails: NEVER_FAILS_PAID },
    { rules: { asksBeforeFailing: false }, bounds: UNNOTICED },
    [NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-x-one-gateway-asked', about: 'other gateways are not asked', fails: 'R1 owed once' },
    { rules: { asksOtherGateways: 'never' }, bounds: { ...UNNOTICED, gateways: 2 } },
  ),
  charge(
    {
      name: 'charge-x-failed-elsewhere-unasked',
      about: 'other gateways are not asked before a payment fails',
      fails: NEVER_FAILS_PAID,
    },
    { rules: { asksOtherGateways: 'before creating' }, bounds: { ...UNNOTICED, gateways: 2 } },
    [NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-x-failed-under-hold', about: 'a held database writes failures', fails: NEVER_FAILS_PAID },
    { rules: { holdStopsFailures: false }, bounds: { ...TWO, ...FAILOVER } },
    [NEVER_FAILS_PAID],
  ),
  charge(
    {
      name: 'charge-x-unrecorded-confirmed',
      about: 'what T2 does not record is confirmed',
      fails: 'R2 captures in the books',
    },
    { rules: { recordsBeforeConfirming: false }, bounds: { ...TWO, goesBack: 'never' } },
  ),
  charge(
    { name: 'charge-x-decline-left-open', about: 'a declined object is not canceled', fails: NEVER_FAILS_PAID },
    { rules: { cancelsDeclines: false }, bounds: { goesBack: 'never' } },
    [NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-x-timeout-fails', about: 'a lost answer fails the payment', fails: NEVER_FAILS_PAID },
    { rules: { lostAnswersAreUnknown: false }, bounds: { goesBack: 'never' } },
    [NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-x-two-live', about: 'an invoice has several live payments', fails: 'I1 one live payment' },
    { rules: { hasOneLivePayment: false }, bounds: { ...TWO, goesBack: 'never' } },
  ),
  charge(
    { name: 'charge-x-not-rebuilt', about: 'adopting writes no invoice', fails: 'R2 captures in the books' },
    { rules: { adoptsWithoutInvoice: false } },
  ),
  charge(
    { name: 'charge-x-adopt-leaves-open', about: 'adopting cancels no open object', fails: 'R2 captures in the books' },
    { rules: { adoptClosesObjects: false } },
  ),
  charge(
    { name: 'charge-x-adopt-alone', about: 'nobody asks, and the hold alone has to do', fails: 'R1 owed once' },
    { rules: { asks: 'never', asksBeforeFailing: false } },
  ),
  charge(
    {
      name: 'charge-x-mark-of-all',
      about: 'a capture counts as present with the mark of another object of its payment',
      fails: 'R2 captures in the books',
    },
    { rules: { markStandsFor: 'all objects' } },
  ),
  charge(
    {
      name: 'charge-x-mark-of-open',
      about: 'an open object counts as present with the mark of another object of its payment',
      fails: 'R2 captures in the books',
    },
    { rules: { markStandsFor: 'uncaptured objects' } },
  ),
  charge(
    {
      name: 'charge-x-ended-payment',
      about: 'a capture counts as present though its payment has failed',
      fails: 'R2 captures in the books',
    },
    { rules: { endedPaymentsHideCaptures: true }, bounds: { ...LATE, ...PAYPAL } },
  ),
  charge(
    {
      name: 'charge-x-short-hold',
      about: 'PayPal: the hold ends before requests have arrived',
      fails: 'R2 captures in the books',
    },
    { rules: { holdOutlastsRequests: false }, bounds: PAYPAL },
  ),
  charge(
    {
      name: 'charge-x-search-alone',
      about: 'a search that lags, at a gateway that captures a debt twice',
      fails: 'R1 owed once',
    },
    { bounds: { ...UNNOTICED, searchLags: true } },
  ),
  charge(
    {
      name: 'charge-x-waiting-not-canceled',
      about: 'a payment that waits fails although its object is open',
      fails: NEVER_FAILS_PAID,
    },
    { rules: { cancelsWaiting: 'never' }, bounds: { ...ASKS, goesBack: 'never' } },
    [NEVER_FAILS_PAID],
  ),
  charge(
    {
      name: 'charge-x-waiting-expires-unasked',
      about: 'a payment that waits expires by the clock alone',
      fails: NEVER_FAILS_PAID,
    },
    { rules: { asksAtExpiry: false }, bounds: { ...ASKS, goesBack: 'never' } },
    [NEVER_FAILS_PAID],
  ),
  charge(
    {
      name: 'charge-x-waiting-passed-over',
      about: 'another card is charged beside a payment that waits',
      fails: 'R2 captures in the books',
    },
    { rules: { cancelsWaiting: 'before failing' }, bounds: { ...ASKS, goesBack: 'never' } },
  ),
  charge(
    {
      name: 'charge-x-waiting-left',
      about: 'an object that waits is not open for who asks for the debt',
      fails: 'R1 owed once',
    },
    { rules: { waitingIsOpen: false }, bounds: { ...ASKS, ...UNNOTICED } },
  ),
  charge(
    {
      name: 'charge-x-adopt-leaves-waiting',
      about: 'nor for who adopts',
      fails: 'R2 captures in the books',
    },
    { rules: { waitingIsOpen: false }, bounds: ASKS },
    ['R2 captures in the books'],
  ),
  charge(
    { name: 'charge-x-debit-passed-over', about: 'a debit on its way stops nobody', fails: 'R1 owed once' },
    { rules: { stopsAtDebits: false }, bounds: { ...DEBITS, ...UNNOTICED } },
  ),
  charge(
    { name: 'charge-x-debit-canceled', about: 'a debit on its way counts as canceled', fails: NEVER_FAILS_PAID },
    { rules: { debitsAreNotCanceled: false }, bounds: { ...DEBITS, goesBack: 'never' } },
    [NEVER_FAILS_PAID],
  ),
  charge(
    {
      name: 'charge-x-debit-forgotten',
      about: 'adopting forgets debits on their way',
      fails: 'R2 captures in the books',
    },
    { rules: { adoptsDebits: false }, bounds: DEBITS },
  ),
];
