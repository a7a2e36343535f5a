import type { Transition } from '../../checker/model.ts';
import { record, refuse } from '../books.ts';
import { objectOfKey } from '../gateway.ts';
import type { Setting } from '../rules.ts';
import { booksOf, type GatewayObject, objectAt, type State, withBooks, withObject } from '../state.ts';
import { type Actor, go, isLocked, question, type Steps, stop } from './actor.ts';

/* From the answer that gives a number to the object that T2 records: payments/charge/gateway-object.ts. */

/** G1, with the key that the debt and the number give. */
export function create(actor: Actor): Steps {
  const { state, setting, process } = actor;
  const { rules, bounds } = setting;
  const { gateway, payment, amount, sequence } = process;
  const books = booksOf(state, process);
  const invoice = books.payments.find(({ id }) => id === payment)?.invoice ?? books.invoice?.id ?? 0;
  const wanted = { gateway, invoice, payment, sequence, amount };
  const existing = objectOfKey(state, rules, wanted);
  const label = { step: 'create', payment, sequence };
  const steps: Steps = [];
  if (existing > 0) {
    const { amount: known, payment: owner } = objectAt(state, existing);
    const isSame = known === amount && owner === payment;
    if (isSame) steps.push(go(actor, { ...label, object: existing }, { at: 'T2', targets: [existing] }));
    else steps.push(...conflict(actor));
  } else if (state.objects.length < bounds.objects) {
    const next = withNewObject(state, setting, wanted);
    const object = next.objects.length;
    steps.push(go(actor, { ...label, object }, { at: 'T2', targets: [object] }, next));
    if (bounds.skips && !state.isCalm)
      steps.push(go(actor, { ...label, object, answer: 'lost' }, { at: 'skip' }, next));
  }
  if (bounds.refuses && !state.isCalm) {
    steps.push(go(actor, { ...label, answer: 'refused' }, question(setting, 'refuse')));
    steps.push(...withdraw(actor));
  }
  return steps;
}

function withNewObject(
  state: State,
  { bounds }: Setting,
  wanted: Pick<GatewayObject, 'gateway' | 'invoice' | 'payment' | 'sequence' | 'amount'>,
): State {
  const object: GatewayObject = {
    ...wanted,
    ...{ state: 'created' as const, isKeyKept: true, isConfirming: false, isShown: !bounds.searchLags },
  };
  return { ...state, objects: [...state.objects, object] };
}

/** The key belongs to a request for another payment or amount, which the books may lack. */
function conflict(actor: Actor): Steps {
  const { setting, state, process } = actor;
  const label = { step: 'create', payment: process.payment, sequence: process.sequence, answer: 'conflict' };
  if (setting.rules.asksAfterConflicts) {
    const purposes = setting.rules.asks === 'always' ? (['conflict', 'create'] as const) : (['conflict'] as const);
    return purposes.map((purpose) => go(actor, label, question(setting, purpose)));
  }
  const books = refuse(booksOf(state, process), process.payment, 'failed');
  return [stop(actor, label, withBooks(state, process.database, books))];
}

/** A request whose call did not reach the gateway withdraws its payment, as long as nothing is recorded. */
export function withdraw(actor: Actor): Steps {
  const { state, process } = actor;
  const mayWithdraw = process.isRequest && process.purpose === 'create' && process.object === 0;
  if (!mayWithdraw || state.isCalm || isLocked(actor)) return [];
  const books = refuse(booksOf(state, process), process.payment, 'withdrawn');
  const label = { step: 'withdraw', payment: process.payment };
  return [stop(actor, label, withBooks(state, process.database, books))];
}

/** An object that takes the number and is never confirmed: its key answers with an error that the gateway keeps. */
export function skip(actor: Actor): Transition<State> {
  const { state, setting, process } = actor;
  const { gateway, payment, amount, sequence } = process;
  const label = { step: 'skip', payment, sequence };
  if (state.objects.length >= setting.bounds.objects) return stop(actor, label);
  const next = withNewObject(state, setting, { gateway, invoice: 1, payment, sequence, amount });
  return stop(
    actor,
    { ...label, object: next.objects.length },
    withObject(next, next.objects.length, { isKeyKept: false }),
  );
}

/** T2: false when the payment has ended, has another object, or charges are held. */
export function recordObject(actor: Actor): Steps {
  const { state, setting, process } = actor;
  const [object = 0] = process.targets;
  const { payment } = process;
  const books = booksOf(state, process);
  const label = { step: 'T2', payment, object };
  const recorded = books.isHeld ? null : record(books, payment, object);
  const confirming = { at: 'confirm' as const, object, targets: [] };
  if (recorded !== null) {
    const next = withBooks(state, process.database, recorded);
    const steps = [go(actor, { ...label, done: true }, confirming, next)];
    // While another process sends the same object, it is not recorded again.
    const isSame = books.payments.some((one) => one.id === payment && one.object === object);
    return isSame ? [...steps, stop(actor, { ...label, done: false })] : steps;
  }
  if (setting.rules.recordsBeforeConfirming) return [stop(actor, { ...label, done: false })];
  return [go(actor, { ...label, done: false }, confirming)];
}
