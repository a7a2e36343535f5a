import type { Transition } from '../checker/model.ts';
import type { Rules, Setting } from './rules.ts';
import { type Books, type GatewayObject, type ObjectState, objectAt, type State, withObject } from './state.ts';

/* What the gateway shows and does, and the cardholder with it. */

/** The objects that a gateway, or each one, shows when it is asked with what these books know. */
export function listed(state: State, { rules, bounds }: Setting, books: Books, gateway?: number): number[] {
  const shown: number[] = [];
  for (const [index, object] of state.objects.entries()) {
    const isKnown = books.payments.some((payment) => payment.object === index + 1);
    if (bounds.searchLags && !object.isShown && !isKnown) continue;
    const isThere = gateway === undefined || object.gateway === gateway;
    if (isThere && belongs(object, rules, books)) shown.push(index + 1);
  }
  return shown;
}

function belongs(object: GatewayObject, { keysFrom }: Rules, books: Books): boolean {
  if (keysFrom === 'debt') return true;
  if (keysFrom === 'invoice') return object.invoice === books.invoice?.id;
  return books.payments.some(({ id }) => id === object.payment);
}

/** Whether an object can still be captured, and can be canceled. */
export function isOpen({ state }: GatewayObject): boolean {
  return state === 'created' || state === 'declined' || state === 'requires_action';
}

/** Whether whoever asks or adopts cancels the object. */
export function countsAsOpen(object: GatewayObject, { waitingIsOpen }: Rules): boolean {
  return isOpen(object) && (waitingIsOpen || object.state !== 'requires_action');
}

/** The object for which the gateway knows this key, or 0. */
export function objectOfKey(
  { objects }: State,
  { keysFrom }: Rules,
  wanted: Pick<GatewayObject, 'gateway' | 'invoice' | 'payment' | 'sequence'>,
): number {
  return (
    1 +
    objects.findIndex((object) => {
      if (!object.isKeyKept || object.gateway !== wanted.gateway) return false;
      if (keysFrom === 'payment') return object.payment === wanted.payment;
      return object.sequence === wanted.sequence && (keysFrom === 'debt' || object.invoice === wanted.invoice);
    })
  );
}

/** An object that is open can't be captured afterwards; a captured one stays as it is. */
export function canceled(state: State, object: number): State {
  return isOpen(objectAt(state, object)) ? withObject(state, object, { state: 'canceled' }) : state;
}

/** Everything that happens at the gateway by itself. */
export function gatewayTransitions(state: State, setting: Setting): Transition<State>[] {
  const transitions: Transition<State>[] = [];
  for (let object = 1; object <= state.objects.length; object += 1) {
    transitions.push(...confirmations(state, setting, object), ...laterCaptures(state, setting, object));
    transitions.push(...laterAnswers(state, object));
    const { isShown, isKeyKept, state: is } = objectAt(state, object);
    if (!isShown && is === 'captured')
      transitions.push({
        label: { step: 'the search shows', object },
        next: withObject(state, object, { isShown: true }),
      });
    if (isKeyKept && mayForget(state, setting))
      transitions.push({
        label: { step: 'the key is forgotten', object },
        next: withObject(state, object, { isKeyKept: false }),
      });
  }
  return transitions;
}

/** A confirmation arrives, at whatever time; once nothing breaks any more, banks do not decline either. */
function confirmations(state: State, { bounds }: Setting, object: number): Transition<State>[] {
  const found = objectAt(state, object);
  if (!found.isConfirming) return [];
  const isTaken =
    bounds.capturesOnce && state.objects.some((other) => other.state === 'captured' && other.gateway === found.gateway);
  const outcomes: ObjectState[] = state.isCalm ? ['captured'] : ['captured', 'declined'];
  if (bounds.asksCustomers && !state.isCalm) outcomes.push('requires_action');
  if (bounds.sendsDebits && !state.isCalm) outcomes.push('processing');
  return ((found.state === 'created' || found.state === 'declined') && !isTaken ? outcomes : [found.state]).map(
    (outcome) => ({
      label: { step: 'the gateway confirms', object, outcome },
      next: withObject(state, object, { isConfirming: false, state: outcome }),
    }),
  );
}

/** The customer confirms or refuses, at any time; a debit settles, or comes back. */
function laterAnswers(state: State, object: number): Transition<State>[] {
  const { state: is } = objectAt(state, object);
  const outcomes: ObjectState[] = state.isCalm ? ['captured'] : ['captured', 'declined'];
  if (is !== 'requires_action' && is !== 'processing') return [];
  const step = is === 'processing' ? 'the debit ends' : 'the customer answers';
  return outcomes.map((outcome) => ({
    label: { step, object, outcome },
    next: withObject(state, object, { state: outcome }),
  }));
}

/** A cardholder may complete what was declined, by a link of the gateway, until it is canceled. */
function laterCaptures(state: State, { bounds }: Setting, object: number): Transition<State>[] {
  if (bounds.capturesOnce || state.isCalm || objectAt(state, object).state !== 'declined') return [];
  const label = { step: 'the cardholder completes what was declined', object };
  return [{ label, next: withObject(state, object, { state: 'captured' }) }];
}

/** Keys are forgotten after hours: within the half minute between the answer and the create none is. */
function mayForget({ processes, isCalm }: State, { rules }: Setting): boolean {
  if (isCalm) return false;
  return (
    !rules.createsWithinWindow ||
    !processes.some(({ at, purpose }) => at === 'create' || (at === 'T1' && purpose === 'create'))
  );
}
