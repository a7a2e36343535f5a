import type { Transition } from '../checker/model.ts';
import { type Actor, go, isLocked, question, type Steps, stop } from './actor.ts';
import { adopt, fail, livePayment, open, refuse, settle } from './books.ts';
import { create, recordObject, skip, withdraw } from './create.ts';
import { canceled, isOpen, listed } from './gateway.ts';
import type { Setting } from './rules.ts';
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
} from './state.ts';

/*
 * What a process does: payments/charge, payments/reconcile, payments/settlement and payments/adopt, a gateway call or a transaction at a
 * time. Between two steps everything else may happen.
 */

/** Everything that the process with this index can do next. */
export function processTransitions(state: State, setting: Setting, index: number): Steps {
  const actor = { state, setting, index, process: state.processes[index] ?? IDLE };
  switch (actor.process.at) {
    case 'idle':
      return [...begin(actor), ...takeUp(actor)];
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
  const isFree = livePayment(books) === null || (!rules.hasOneLivePayment && livePayment(books)?.state === 'live');
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
  const opened = withBooks(state, process.database, open(books, { id: payment, gateway }));
  const at = asksFirst(actor) ? question(setting, 'create').at : 'create';
  const steps: Steps = [go(actor, { step: 'T1', payment }, { ...process, at }, opened)];
  if (bounds.asksDuringIntent && at === 'ask') {
    // The answer says where the process goes on once the intent has committed.
    const asking: Actor = { ...actor, state: opened, process };
    const { next, label } = ask(asking);
    const { objects } = state;
    const answered = next.processes[index] ?? IDLE;
    const purpose = answered.at === 'create' || answered.at === 'adopt' ? answered.at : 'conflict';
    const waiting = { ...answered, at: 'T1' as const, purpose } satisfies Process;
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
  return go(actor, label, { at: purpose === 'adopt' ? 'adopt' : 'close', purpose: 'create' }, opened);
}

/** A reconciler takes up a payment that has not ended, whoever began it. */
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

/** Asks the other gateways: open objects there are canceled. After a capture there, nothing of the own gateway may be captured. */
function askOthers(actor: Actor): Transition<State> {
  const { state, setting, process } = actor;
  const shown = listed(state, setting, booksOf(state, process));
  const others = shown.filter((object) => objectAt(state, object).gateway !== process.gateway);
  const found = others.map((object) => [object, objectAt(state, object).state] as const);
  const label = { step: 'ask others', payment: process.payment, before: process.purpose, found };
  const openOnes = others.filter((object) => isOpen(objectAt(state, object)));
  if (openOnes.length > 0) return go(actor, label, { at: 'close others', targets: openOnes });
  const isCaptured = others.some((object) => objectAt(state, object).state === 'captured');
  return go(actor, label, isCaptured ? { at: 'ask', purpose: 'adopt', own: 0 } : { at: 'ask' });
}

/** Asks for the debt: open objects are canceled, captures adopted; else the process goes on with what it asked for. */
function ask(actor: Actor): Transition<State> {
  const { state, setting, process } = actor;
  const { rules } = setting;
  const books = booksOf(state, process);
  const { own, purpose, gateway } = process;
  const shown = listed(state, setting, books, gateway);
  const found = shown.map((object) => [object, objectAt(state, object).state] as const);
  const label = { step: 'ask', payment: process.payment, before: purpose, found };
  const openOnes = shown.filter((object) => object !== own && isOpen(objectAt(state, object)));
  if (rules.cancelsOpenObjects && openOnes.length > 0) return go(actor, label, { at: 'close', targets: openOnes });
  const everywhere = purpose === 'adopt' ? listed(state, setting, books) : shown;
  const captures = everywhere.filter(
    (object) => objectAt(state, object).state === 'captured' && (rules.stopsAtAnyCapture || !isKnown(actor, object)),
  );
  if (captures.length > 0) {
    const isOwn = own === 0 || captures.includes(own);
    return go(actor, label, { at: isOwn ? 'adopt' : 'close own', targets: captures });
  }
  switch (purpose) {
    case 'create': {
      const highest = Math.max(0, ...shown.map((object) => objectAt(state, object).sequence));
      const sequence = rules.numbersFrom === 'gateway' ? highest + 1 : process.sequence;
      return go(actor, label, { at: 'create', targets: [], sequence });
    }
    case 'fail':
    case 'refuse':
      return go(actor, label, { at: purpose, targets: [] });
    case 'conflict':
    case 'adopt':
      return stop(actor, label);
  }
}

function isKnown({ state, process }: Actor, object: number): boolean {
  return booksOf(state, process).payments.some((payment) => payment.object === object && payment.state === 'captured');
}

/** Cancels the first of the open objects, and asks again after the last one. */
function closeNext(actor: Actor): Transition<State> {
  const [object = 0, ...targets] = actor.process.targets;
  const next = canceled(actor.state, object);
  const label = { step: 'cancel', object, outcome: objectAt(next, object).state };
  const { at } = actor.process;
  return go(actor, label, { at: targets.length > 0 ? at : at === 'close' ? 'ask' : 'ask others', targets }, next);
}

/** Cancels what the payment has recorded, so that nothing captures it beside the capture that counts. */
function closeOwn(actor: Actor): Transition<State> {
  const { own: object } = actor.process;
  const next = canceled(actor.state, object);
  const outcome = objectAt(next, object).state;
  const label = { step: 'cancel', object, outcome };
  return outcome === 'canceled' ? go(actor, label, { at: 'adopt' }, next) : stop(actor, label, next);
}

function adoptNext(actor: Actor): Transition<State> {
  const { state, process } = actor;
  const [object = 0, ...targets] = process.targets;
  const books = adopt(booksOf(state, process), object, objectAt(state, object), freshId(state));
  const next = withBooks(state, process.database, books);
  const label = { step: 'adopt', object, payment: process.payment };
  return targets.length === 0 ? stop(actor, label, next) : go(actor, label, { targets }, next);
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
  return [go(actor, label, afterDecline(setting))];
}

function afterDecline(setting: Setting): Partial<Process> {
  return setting.rules.cancelsDeclines ? { at: 'cancel' } : afterCancel(setting);
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
  if (outcome === 'declined') return go(actor, label, afterDecline(setting));
  return go(actor, label, afterCancel(setting));
}

/** G3: the object is canceled before the payment fails, unless it was captured meanwhile. */
function cancel(actor: Actor): Transition<State> {
  const { state, setting, process } = actor;
  const next = canceled(state, process.object);
  const outcome = objectAt(next, process.object).state;
  const label = { step: 'cancel', object: process.object, outcome };
  return go(actor, label, outcome === 'captured' ? { at: 'T3' } : afterCancel(setting), next);
}

function afterCancel(setting: Setting): Partial<Process> {
  return setting.rules.asksBeforeFailing ? question(setting, 'fail') : { at: 'fail' };
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
