import type { Transition } from '../../checker/model.ts';
import { adopt } from '../books.ts';
import { canceled, countsAsOpen, listed } from '../gateway.ts';
import { booksOf, freshId, objectAt, type State, withBooks } from '../state.ts';
import { type Actor, go, stop } from './actor.ts';

/* The question for the debt: what is open is canceled, captures are adopted, and a debit on its way stops the charge: payments/debt. */

/** Asks the other gateways: open objects there are canceled. After a capture there, nothing of the own gateway may be captured. */
export function askOthers(actor: Actor): Transition<State> {
  const { state, setting, process } = actor;
  const shown = listed(state, setting, booksOf(state, process));
  const others = shown.filter((object) => objectAt(state, object).gateway !== process.gateway);
  const found = others.map((object) => [object, objectAt(state, object).state] as const);
  const label = { step: 'ask others', payment: process.payment, before: process.purpose, found };
  const openOnes = others.filter((object) => countsAsOpen(objectAt(state, object), setting.rules));
  if (isDebitIn(actor, others)) return stop(actor, label);
  if (openOnes.length > 0) return go(actor, label, { at: 'close others', targets: openOnes });
  const isCaptured = others.some((object) => objectAt(state, object).state === 'captured');
  return go(actor, label, isCaptured ? { at: 'ask', purpose: 'adopt', own: 0 } : { at: 'ask' });
}

/** Asks for the debt: open objects are canceled, captures adopted; else the process goes on with what it asked for. */
export function ask(actor: Actor): Transition<State> {
  const { state, setting, process } = actor;
  const { rules } = setting;
  const books = booksOf(state, process);
  const { own, purpose, gateway } = process;
  const shown = listed(state, setting, books, gateway);
  const found = shown.map((object) => [object, objectAt(state, object).state] as const);
  const label = { step: 'ask', payment: process.payment, before: purpose, found };
  const openOnes = shown.filter((object) => object !== own && countsAsOpen(objectAt(state, object), rules));
  if (isDebitIn(actor, shown)) return stop(actor, label);
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

/** A debit on its way, which can't be canceled, may still be captured. */
function isDebitIn({ state, setting, process }: Actor, shown: readonly number[]): boolean {
  const isOnItsWay = (object: number) => objectAt(state, object).state === 'processing';
  return setting.rules.stopsAtDebits && shown.some((object) => object !== process.own && isOnItsWay(object));
}

function isKnown({ state, process }: Actor, object: number): boolean {
  return booksOf(state, process).payments.some((payment) => payment.object === object && payment.state === 'captured');
}

/** Cancels the first of the open objects, and asks again after the last one. */
export function closeNext(actor: Actor): Transition<State> {
  const [object = 0, ...targets] = actor.process.targets;
  const next = canceled(actor.state, object);
  const label = { step: 'cancel', object, outcome: objectAt(next, object).state };
  const { at } = actor.process;
  return go(actor, label, { at: targets.length > 0 ? at : at === 'close' ? 'ask' : 'ask others', targets }, next);
}

/** Cancels what the payment has recorded, so that nothing captures it beside the capture that counts. */
export function closeOwn(actor: Actor): Transition<State> {
  const { own: object } = actor.process;
  const next = canceled(actor.state, object);
  const outcome = objectAt(next, object).state;
  const label = { step: 'cancel', object, outcome };
  return outcome === 'canceled' ? go(actor, label, { at: 'adopt' }, next) : stop(actor, label, next);
}

export function adoptNext(actor: Actor): Transition<State> {
  const { state, process } = actor;
  const [object = 0, ...targets] = process.targets;
  const books = adopt(booksOf(state, process), object, objectAt(state, object), freshId(state));
  const next = withBooks(state, process.database, books);
  const label = { step: 'adopt', object, payment: process.payment };
  return targets.length === 0 ? stop(actor, label, next) : go(actor, label, { targets }, next);
}
