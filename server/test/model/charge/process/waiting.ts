import type { Transition } from '../../checker/model.ts';
import { wait } from '../books.ts';
import type { Rules } from '../rules.ts';
import { type Books, booksOf, objectAt, type Payment, type State, withBooks } from '../state.ts';
import { type Actor, afterCancel, afterDecline, go, type Steps, stop } from './actor.ts';

/*
 * Payments that wait for their customer, and debits that are on their way: payments/charge/waiting.ts and payments/reconcile. A payment
 * that waits is looked at, and canceled once its time has passed or something goes on without it: another card, a void, a credit note.
 */

/** Somebody takes up a payment that waits or whose debit is on its way. */
export function takeUpWaiting(actor: Actor): Steps {
  const { state, setting, process } = actor;
  const { cancelsWaiting, asksAtExpiry, debitsAreNotCanceled } = setting.rules;
  const books = booksOf(state, process);
  if (books.isHeld) return [];
  return books.payments.flatMap((one) => {
    const isWaiting = one.state === 'requires_action';
    if (!isWaiting && one.state !== 'processing') return [];
    const { id: payment, gateway, amount, object } = one;
    const taken = { gateway, payment, amount, object, own: object };
    const steps = [go(actor, { step: 'somebody looks at', payment, object }, { at: 'look', ...taken })];
    if (isWaiting ? cancelsWaiting !== 'never' : !debitsAreNotCanceled)
      steps.push(go(actor, { step: 'somebody cancels', payment, object }, { at: 'cancel', ...taken }));
    if (isWaiting && !asksAtExpiry)
      steps.push(go(actor, { step: 'its time has passed', payment }, { at: 'fail', ...taken }));
    return steps;
  });
}

/** What the gateway says by then. A payment that still waits is canceled if its time has passed. */
export function look(actor: Actor): Steps {
  const { state, setting, process } = actor;
  const { object } = process;
  const { state: outcome } = objectAt(state, object);
  const label = { step: 'find', object, outcome };
  switch (outcome) {
    case 'captured':
      return [go(actor, label, { at: 'T3' })];
    case 'declined':
      return [go(actor, label, afterDecline(setting))];
    case 'canceled':
      return [go(actor, label, afterCancel(setting))];
    case 'requires_action': {
      const isCanceled = setting.rules.cancelsWaiting !== 'never';
      const expired = isCanceled ? ({ at: 'cancel' } as const) : afterCancel(setting);
      return [stop(actor, label), go(actor, { ...label, expired: true }, expired)];
    }
    default:
      return [stop(actor, label)];
  }
}

/** The transaction after which the payment waits for its customer, or for the bank. */
export function awaitAnswer(actor: Actor): Transition<State> {
  const { state, process } = actor;
  const { at, payment, object } = process;
  const waitsAs = at === 'await bank' ? 'processing' : 'requires_action';
  const books = wait(booksOf(state, process), payment, object, waitsAs);
  return stop(actor, { step: at, payment, object }, withBooks(state, process.database, books));
}

/** Whether another card may be charged beside the payment that waits, which then counts no more. */
export function isPassedOver({ state }: Pick<Payment, 'state'>, { cancelsWaiting }: Rules): boolean {
  return state === 'requires_action' && cancelsWaiting === 'before failing';
}

/** The books without a payment that waits, which counts no more. */
export function passOver(books: Books): Books {
  const payments = books.payments.map((one) =>
    one.state === 'requires_action' ? { ...one, state: 'withdrawn' as const } : one,
  );
  return { ...books, payments };
}
