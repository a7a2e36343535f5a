import { adopt, adoptDebit, isRunning } from '../charge/books.ts';
import { canceled, isOpen } from '../charge/gateway.ts';
import type { Bounds } from '../charge/rules.ts';
import {
  type Books,
  booksOf,
  freshId,
  type GatewayObject,
  objectAt,
  type State,
  withBooks,
  withObject,
} from '../charge/state.ts';
import { type Hypothesis, withObjectName } from './hypothesis.ts';
import type { Operation } from './operations.ts';

/*
 * The steps of a recovery: the hold, and `reconcile --adopt`, an object at a time. The hold begins when its row is written, not when the
 * database goes back; and objects of payments that are in the books are left to the reconciler, which goes on after the hold.
 */

/** What may be the case once this step of a recovery has taken effect; null for a step of another kind. */
export function recoveryEffects(one: Hypothesis, operation: Operation, bounds: Bounds): Hypothesis[] | null {
  const { step, answer } = operation;
  switch (step) {
    case 'hold begins':
      return [withHold(one, operation, true)];
    case 'hold ends':
      if (answer?.outcome === false) return [one];
      return lacksNothing(one.state, operation, bounds) ? [withHold(one, operation, false)] : [];
    case 'adopt: cancel':
      return ofObject(one, operation, (object) => close(one.state, object, operation));
    case 'adopt: capture':
      return ofObject(one, operation, (object) => take(one.state, object, operation));
    case 'adopt: debit':
      return ofObject(one, operation, (object) => run(one.state, object, operation));
    default:
      return null;
  }
}

/**
 * Whether a person decides about the debt: what follows is none of the model's. A command that was killed does not say that it left the
 * capture to a person, but what that person does says it.
 */
export function isLeftToPerson({ step, answer }: Operation): boolean {
  return step === 'resolve' || (step.startsWith('adopt: ') && answer?.outcome === 'person');
}

/** Whether each database holds charges if it lacks something: of two that live beside each other, one was brought together at most. */
export function isSettled({ state }: Hypothesis, bounds: Bounds): boolean {
  return ([0, 1] as const).every(
    (database) => booksOf(state, { database }).isHeld || lacksNothing(state, { database }, bounds),
  );
}

function withHold(one: Hypothesis, { database }: Operation, isHeld: boolean): Hypothesis {
  return { ...one, state: withBooks(one.state, database, { ...booksOf(one.state, { database }), isHeld }) };
}

/** A gateway that can't list shows captures only. */
function lacksNothing(state: State, of: Pick<Operation, 'database'>, { searchLags }: Bounds): boolean {
  const books = booksOf(state, of);
  return state.objects.every((object, index) => {
    const isUnended = isOpen(object) || object.state === 'processing';
    const isFound = object.state === 'captured' || (isUnended && !searchLags);
    return !isFound || isInBooks(books, index + 1, object);
  });
}

/** A capture of a payment that has ended without it is in no book. */
function isInBooks({ payments }: Books, object: number, { payment, state }: GatewayObject): boolean {
  return payments.some((one) => {
    const isEnough = state !== 'captured' || isRunning(one) || one.state === 'review';
    return one.object === object || (one.id === payment && isEnough);
  });
}

/** Applies a step to the object with this name, or to any that may be it. Only a held database is brought together. */
function ofObject(
  one: Hypothesis,
  { database, object: name = '', sequence }: Operation,
  act: (object: number) => State[],
): Hypothesis[] {
  if (!booksOf(one.state, { database }).isHeld) return [];
  const known = one.objects.get(name);
  const all = one.state.objects.map((_, index) => index + 1);
  const candidates = all.filter((object) =>
    known === undefined ? objectAt(one.state, object).sequence === (sequence ?? null) : object === known,
  );
  return candidates.flatMap((object) => {
    const named = withObjectName(one, name, object);
    return named === null ? [] : act(object).map((state) => ({ ...named, state }));
  });
}

/** What is open is canceled; what was captured or canceled meanwhile stays as it is. */
function close(state: State, object: number, { answer }: Operation): State[] {
  const next = canceled(state, object);
  const outcome = answer?.outcome;
  return outcome === undefined || outcome === objectAt(next, object).state ? [next] : [];
}

/** The capture gets into the books of its debt. One that was refunded in full may be booked for nobody instead. */
function take(state: State, object: number, { database, answer }: Operation): State[] {
  const capture = objectAt(state, object);
  const isReturned = answer?.outcome === 'returned';
  if (capture.state !== 'captured' && !(isReturned && capture.state === 'canceled')) return [];
  const adopted = withBooks(state, database, adopt(booksOf(state, { database }), object, capture, freshId(state)));
  return isReturned ? [adopted, withObject(state, object, { state: 'canceled' })] : [adopted];
}

/** The payment of the debit runs. It may have ended since the gateway said that it is on its way. */
function run(state: State, object: number, { database }: Operation): State[] {
  const debit = objectAt(state, object);
  const mayHaveBeen = debit.state === 'processing' || debit.state === 'captured' || debit.state === 'declined';
  const books = booksOf(state, { database });
  return mayHaveBeen ? [withBooks(state, database, adoptDebit(books, object, debit, freshId(state)))] : [];
}
