import type { Model } from '../checker/model.ts';
import { isBooked, isRunning, livePayment } from './books.ts';
import { gatewayTransitions } from './gateway.ts';
import { keyOf } from './key.ts';
import { processTransitions } from './process/process.ts';
import { adoptTransitions, crash, missingObjects, worldTransitions } from './recovery.ts';
import type { Setting } from './rules.ts';
import { initialState, type State } from './state.ts';

/*
 * The charge of one debt, as docs/charge.md describes it, beside a gateway that may be slow and forgetful, with a database that may go
 * back once. The bank may want it confirmed by the customer, or it is a debit that is on its way for days. Not in it: credit (credit.ts),
 * documents (documents.ts), refunds (books.ts), how going back is noticed (marks.ts), and reviews of what has no outcome after long.
 */

/** The properties of a charge, by their names in traces. */
export const CHARGE_PROPERTIES = [
  'R1 owed once',
  'R2 captures in the books',
  'I2 paid means captured',
  'I1 one live payment',
];
export const NEVER_FAILS_PAID = 'R3 no Failed invoice with captured money';
export const ENDS = 'R6 every hold and every charge ends';

/** The model of a charge with these rules and bounds. */
export function chargeModel(setting: Setting): Model<State> {
  return {
    initial: initialState(setting),
    transitionsOf: (state) => transitionsOf(state, setting),
    keyOf: (state) => keyOf(state, setting.bounds.goesBack !== 'split'),
    invariants: {
      'R1 owed once': ({ objects }) => objects.filter(({ state }) => state === 'captured').length <= 1,
      'R2 captures in the books': (state) => !isAtRest(state, setting) || areBooked(state),
      'I2 paid means captured': isPaidByCapture,
      'I1 one live payment': hasOneLivePayment,
    },
    steps: { [NEVER_FAILS_PAID]: neverFailsPaid },
    liveness: { name: ENDS, isCalm: ({ isCalm }) => isCalm, isGood: (state) => hasEnded(state, setting) },
  };
}

/** Everything that can happen next. */
function transitionsOf(state: State, setting: Setting) {
  return [
    ...worldTransitions(state, setting),
    ...adoptTransitions(state, setting),
    ...gatewayTransitions(state, setting),
    ...state.processes.flatMap((_, index) => processTransitions(state, setting, index)),
    ...crash(state),
  ];
}

/** Nobody works on the debt, nothing is on its way, and nobody could have failed to notice that the database went back. */
function isAtRest(state: State, setting: Setting): boolean {
  const { books, objects, processes } = state;
  const [current] = books;
  return (
    wasNoticed(state, setting) &&
    !current.isHeld &&
    processes.every(({ at }) => at === 'idle') &&
    objects.every(({ isConfirming, state }) => !isConfirming && state !== 'declined') &&
    !current.payments.some(isRunning) &&
    (current.invoice === null ||
      current.invoice.state === 'paid' ||
      current.invoice.state === 'failed' ||
      livePayment(current)?.state === 'review')
  );
}

/** Whether charges were held if the database went back. Where that is noticed later, nothing is missing any more once it rests. */
function wasNoticed(state: State, setting: Setting): boolean {
  const { goesBack, isNoticed } = setting.bounds;
  if (state.wentBack === 0) return true;
  if (goesBack === 'split' || isNoticed === 'never') return false;
  const isAllShown = state.objects.every(({ isShown, state: is }) => isShown || is !== 'captured');
  return isNoticed === 'at once' || (isAllShown && missingObjects(state, setting, state.books[0]).length === 0);
}

function areBooked({ books, objects }: State): boolean {
  return objects.every(({ state }, index) => state !== 'captured' || isBooked(books[0], index + 1));
}

function isPaidByCapture({ books, objects }: State): boolean {
  return books.every((each) => {
    if (each?.invoice?.state !== 'paid') return true;
    const { amount } = each.invoice;
    return each.payments.some(
      (payment) =>
        payment.state === 'captured' &&
        objects[payment.object - 1]?.state === 'captured' &&
        objects[payment.object - 1]?.amount === amount,
    );
  });
}

function hasOneLivePayment({ books }: State): boolean {
  return books.every((each) => {
    const live = each?.payments.filter(({ state }) => state !== 'failed' && state !== 'withdrawn') ?? [];
    return live.length <= 1;
  });
}

function neverFailsPaid(before: State, after: State): boolean {
  if (before.wentBack !== after.wentBack) return true;
  const isFailing = after.books.some(
    (books, database) => books?.invoice?.state === 'failed' && before.books[database]?.invoice?.state !== 'failed',
  );
  return !isFailing || after.objects.every(({ state }) => state !== 'captured');
}

/** Paid, or a person was told, or the attempts or objects that the bounds allow are used up. */
function hasEnded({ books, objects }: State, { bounds }: Setting): boolean {
  const [{ invoice, payments, isHeld }] = books;
  if (isHeld) return false;
  const isOver = !payments.some(isRunning) && invoice !== null;
  const isTold = invoice?.state === 'paid' || payments.some(({ state }) => state === 'review');
  const isTried = invoice?.state === 'failed' && payments.length >= bounds.payments;
  return (isOver && (isTold || isTried)) || objects.length >= bounds.objects;
}
