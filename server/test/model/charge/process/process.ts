import type { Transition } from '../../checker/model.ts';
import { fail, isRunning, livePayment, open, refuse, settle } from '../books.ts';
import { canceled } from '../gateway.ts';
import type { Setting } from '../rules.ts';
import {
  booksOf,
  freshId,
  IDLE,
  objectAt,
  type Process,
  type State,
  withBooks,
  withObject,
  withProcess,
} from '../state.ts';
import { type Actor, afterCancel, afterDecline, go, isLocked, question, type Steps, stop } from './actor.ts';
import { adoptNext, ask, askOthers, closeNext, closeOwn } from './ask.ts';
import { create, recordObject, skip, withdraw } from './create.ts';
import { awaitAnswer, isPassedOver, look, passOver, takeUpWaiting } from './waiting.ts';

/*
 * What a process does: payments/charge, payments/reconcile, payments/settlement and payments/adopt, a gateway call or a transaction at a
 * time. Between two steps everything else may happen.
 */

/** Everything that the process with this index can do next. */
export function processTransitions(state: State, setting: Setting, index: number): Steps {
  const actor = { state, setting, index, process: state.processes[index] ?? IDLE };
  switch (actor.process.at) {
    case 'idle':
      return [...begin(actor), ...takeUp(actor), ...takeUpWaiting(actor)];
    case 'T1':
      return isLocked(actor) ? [] : [commitIntent(actor)];
    case 'ask others':
      return [askOthers(actor), ...withdraw(actor)];
    case 'ask':
      return [ask(actor), ...withdraw(actor)];
    case 'close':
    case 'close others':
      return [closeNext(actor), ...withdraw(actor)];
    case 'close own':
      return [closeOwn(actor)];
    case 'adopt':
      return isLocked(actor) ? [] : [adoptNext(actor)];
    case 'create':
      return create(actor);
    case 'skip':
      return [skip(actor)];
    case 'T2':
      return recordObject(actor);
    case 'confirm':
      return [confirm(actor)];
    case 'wait':
      return answer(actor);
    case 'find':
      return [find(actor)];
    case 'look':
      return look(actor);
    case 'await customer':
    case 'await bank':
      return isLocked(actor) ? [] : [awaitAnswer(actor)];
    case 'cancel':
      return [cancel(actor)];
    default:
      return isLocked(actor) ? [] : [end(actor)];
  }
}

/** T1, for an invoice that is not paid, where no payment runs. */
function begin(actor: Actor): Steps {
  const { state, setting, process } = actor;
  const { rules, bounds } = setting;
  const books = booksOf(state, process);
  const isDue = books.invoice !== null && books.invoice.state !== 'paid' && !books.isHeld;
  const live = livePayment(books);
  const isFree = live === null || (!rules.hasOneLivePayment && isRunning(live)) || isPassedOver(live, rules);
  if (!isDue || !isFree || books.payments.length >= bounds.payments || isLocked(actor)) return [];
  const gateways = Array.from({ length: bounds.gateways }, (_, other) => other + 1);
  return gateways.flatMap((gateway) => beginAt(actor, gateway));
}

function beginAt(actor: Actor, gateway: number): Steps {
  const { state, setting, index } = actor;
  const { bounds } = setting;
  const books = booksOf(state, actor.process);
  const payment = freshId(state);
  const process: Process = {
    ...{ ...actor.process, at: 'ask' as const, gateway, payment, amount: books.invoice?.amount ?? 0 },
    ...{ sequence: books.payments.length + 1, isRequest: bounds.refuses },
  };
  const opened = withBooks(state, process.database, open(passOver(books), { id: payment, gateway }));
  const at = asksFirst(actor) ? question(setting, 'create').at : 'create';
  const steps: Steps = [go(actor, { step: 'T1', payment }, { ...process, at }, opened)];
  if (bounds.asksDuringIntent && at === 'ask') {
    // The answer says where the process goes on once the intent has committed.
    const asking: Actor = { ...actor, state: opened, process };
    const { next, label } = ask(asking);
    const { objects } = state;
    const answered = next.processes[index] ?? IDLE;
    const purpose = answered.at === 'create' || answered.at === 'adopt' ? answered.at : 'conflict';
    const known = answered.at === 'idle' ? process : answered;
    const waiting = { ...known, at: 'T1' as const, purpose } satisfies Process;
    steps.push({ label, next: withProcess({ ...state, objects }, index, waiting) });
  }
  return steps;
}

function asksFirst({ state, setting: { rules, bounds }, process }: Actor): boolean {
  if (rules.asks === 'once noticed')
    return state.wentBack > 0 && bounds.isNoticed === 'at once' && process.database === 0;
  return rules.asks !== 'never';
}

/** The intent commits whose question was answered already. */
function commitIntent(actor: Actor): Transition<State> {
  const { state, process } = actor;
  const books = booksOf(state, process);
  const { payment, purpose } = process;
  const label = { step: 'T1', payment };
  if (books.invoice === null || books.invoice.state === 'paid' || books.isHeld || livePayment(books) !== null)
    return stop(actor, { ...label, done: false });
  const opened = withBooks(state, process.database, open(books, { id: payment, gateway: process.gateway }));
  if (purpose === 'create') return go(actor, label, { at: 'create' }, opened);
  // A debit is on its way.
  if (process.targets.length === 0) return stop(actor, label, opened);
  return go(actor, label, { at: purpose === 'adopt' ? 'adopt' : 'close', purpose: 'create' }, opened);
}

/** A reconciler takes up a payment that nobody waits for, whoever began it. */
function takeUp(actor: Actor): Steps {
  const { state, setting, process } = actor;
  const { asks } = setting.rules;
  const books = booksOf(state, process);
  if (books.isHeld) return [];
  return books.payments
    .filter(({ state: is }) => is === 'live')
    .map(({ id: payment, gateway, amount, object }) => {
      const at = object === 0 ? (asks === 'always' ? question(setting, 'create').at : 'create') : 'find';
      const sequence = 1 + books.payments.findIndex(({ id }) => id === payment);
      return go(
        actor,
        { step: 'a reconciler takes up', payment, object },
        {
          ...{ at, gateway, payment, amount, object, own: object, sequence },
        },
      );
    });
}

/** G2 is sent; it may arrive much later. */
function confirm(actor: Actor): Transition<State> {
  const { object } = actor.process;
  const label = { step: 'confirm', object };
  return go(actor, label, { at: 'wait' }, withObject(actor.state, object, { isConfirming: true }));
}

/** The answer to G2. An object that can't be confirmed is canceled. */
function answer(actor: Actor): Steps {
  const { state, setting, process } = actor;
  const { object } = process;
  const found = objectAt(state, object);
  const { lostAnswersAreUnknown } = setting.rules;
  if (!lostAnswersAreUnknown && !state.isCalm && !isLocked(actor)) {
    const books = fail(booksOf(state, process), process.payment, object);
    const next = withBooks(state, process.database, books);
    return [stop(actor, { step: 'the answer is lost', object }, next)];
  }
  if (found.isConfirming) return [];
  const label = { step: 'the confirmation is answered', object, outcome: found.state };
  // A gateway may refuse to confirm an object for what it is by then.
  const refused = setting.bounds.refuses ? [go(actor, { ...label, outcome: 'refused' }, { at: 'cancel' })] : [];
  if (found.state === 'captured') return [go(actor, label, { at: 'T3' }), ...refused];
  if (found.state === 'created' && setting.bounds.capturesOnce)
    return [go(actor, { ...label, outcome: 'conflict' }, question(setting, 'conflict'))];
  if (found.state === 'requires_action') return [go(actor, label, { at: 'await customer' }), ...refused];
  if (found.state === 'processing') return [go(actor, label, { at: 'await bank' }), ...refused];
  return [go(actor, label, afterDecline(setting))];
}

/** A reconciler reads the object that the payment has recorded. */
function find(actor: Actor): Transition<State> {
  const { state, setting, process } = actor;
  const { object } = process;
  const { state: outcome } = objectAt(state, object);
  const label = { step: 'find', object, outcome };
  // PayPal does not say that an order was declined.
  if (outcome === 'declined' && setting.bounds.capturesOnce)
    return go(actor, { ...label, outcome: 'created' }, { at: 'confirm' });
  if (outcome === 'captured') return go(actor, label, { at: 'T3' });
  if (outcome === 'created') return go(actor, label, { at: 'confirm' });
  if (outcome === 'requires_action') return go(actor, label, { at: 'await customer' });
  if (outcome === 'processing') return go(actor, label, { at: 'await bank' });
  if (outcome === 'declined') return go(actor, label, afterDecline(setting));
  return go(actor, label, afterCancel(setting));
}

/** G3: the object is canceled before the payment fails, unless it was captured meanwhile. */
function cancel(actor: Actor): Transition<State> {
  const { state, setting, process } = actor;
  const next = canceled(state, process.object);
  const outcome = objectAt(next, process.object).state;
  const label = { step: 'cancel', object: process.object, outcome };
  if (outcome === 'processing' && setting.rules.debitsAreNotCanceled) return stop(actor, label, next);
  return go(actor, label, outcome === 'captured' ? { at: 'T3' } : afterCancel(setting), next);
}

/** The transaction that ends the payment: T3, a failure, or a refusal. */
function end(actor: Actor): Transition<State> {
  const { state, setting, process } = actor;
  const { at, payment, object } = process;
  const before = booksOf(state, process);
  if (at !== 'T3' && before.isHeld && setting.rules.holdStopsFailures) return stop(actor, { step: 'held', payment });
  const books =
    at === 'T3'
      ? settle(before, payment, object, objectAt(state, object))
      : at === 'fail'
        ? fail(before, payment, object)
        : refuse(before, payment, 'failed');
  return stop(actor, { step: at, payment, object }, withBooks(state, process.database, books));
}
