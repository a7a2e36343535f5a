import type { Model, Transition } from './checker/model.ts';

/*
 * A month of usage: two events, each worth 1. A run bills what has arrived; what arrives later is billed as the difference. The database
 * goes back and loses events that were billed and captured; their senders may send them again. The charge itself holds (charge).
 */

export type UsageRules = {
  /** Late usage is what the month is worth now, less what its invoices took; else less what had arrived when the run closed the month. */
  comparesWithInvoices: boolean;
  /** A difference below zero after an adopt goes to a person; else it becomes credit. */
  personDecidesNegative: boolean;
  /** The gateway's objects say what they took of the month, and adopting writes it down. */
  objectsNameUsage: boolean;
};

export const ALL_USAGE_RULES: UsageRules = {
  comparesWithInvoices: true,
  personDecidesNegative: true,
  objectsNameUsage: true,
};

type Books = { events: readonly [boolean, boolean]; atClose: number; billed: number; isClosed: boolean };
type State = {
  /** What was really used. */
  used: readonly [boolean, boolean];
  books: Books;
  backup: Books | null;
  captured: number;
  givenBack: number;
  isHeld: boolean;
  hasGoneBack: boolean;
};

export const USAGE_PROPERTIES = ['R1 usage is paid once', 'lost records are no gift'];
export const ALL_PAID = 'all usage can be paid';

/** The model with these rules. */
export function usageModel(rules: UsageRules): Model<State> {
  const books: Books = { events: [false, false], atClose: 0, billed: 0, isClosed: false };
  return {
    initial: {
      ...{ used: [false, false], books, backup: null },
      ...{ captured: 0, givenBack: 0, isHeld: false, hasGoneBack: false },
    },
    transitionsOf: (state) => [
      ...([0, 1] as const).map((index) => send(state, index)),
      ...bill(state, rules),
      ...goBack(state),
      ...adopt(state, rules),
    ],
    keyOf: JSON.stringify,
    invariants: {
      'R1 usage is paid once': ({ used, captured, givenBack }) => captured - givenBack <= count(used),
      'lost records are no gift': ({ givenBack }) => givenBack === 0,
    },
    liveness: {
      name: ALL_PAID,
      isCalm: () => true,
      isGood: ({ captured, givenBack, used }) => count(used) === 2 && captured - givenBack === 2,
    },
  };
}

function count([first, second]: readonly [boolean, boolean]): number {
  return Number(first) + Number(second);
}

/** An event arrives, or arrives again. */
function send(state: State, index: 0 | 1): Transition<State> {
  const add = ([first, second]: readonly [boolean, boolean]): [boolean, boolean] =>
    index === 0 ? [true, second] : [first, true];
  const books = { ...state.books, events: add(state.books.events) };
  return { label: { step: 'usage arrives', event: index + 1 }, next: { ...state, used: add(state.used), books } };
}

/** The run, and later ones that bill the difference. */
function bill(state: State, rules: UsageRules): Transition<State>[] {
  const { books, isHeld, captured, givenBack, hasGoneBack } = state;
  const worth = count(books.events);
  if (isHeld || worth === 0) return [];
  const before = !books.isClosed ? 0 : rules.comparesWithInvoices ? books.billed : books.atClose;
  const amount = worth - before;
  const closed = { ...books, isClosed: true, atClose: worth, billed: books.billed + amount };
  if (amount > 0) {
    const step = books.isClosed ? 'late usage is billed and captured' : 'the run bills, and it is captured';
    return [{ label: { step, amount }, next: { ...state, books: closed, captured: captured + amount } }];
  }
  if (amount === 0 || (hasGoneBack && rules.personDecidesNegative)) return [];
  return [
    {
      label: { step: 'credit is given', amount: -amount },
      next: { ...state, books: closed, givenBack: givenBack - amount },
    },
  ];
}

function goBack(state: State): Transition<State>[] {
  if (state.hasGoneBack) return [];
  const { backup, books } = state;
  if (backup === null) return [{ label: { step: 'a backup is taken' }, next: { ...state, backup: books } }];
  return [
    {
      label: { step: 'the database goes back' },
      next: { ...state, books: backup, backup: null, hasGoneBack: true, isHeld: true },
    },
  ];
}

/** The month's invoices are written again, with what their objects say that they took. */
function adopt(state: State, { objectsNameUsage }: UsageRules): Transition<State>[] {
  if (!state.isHeld) return [];
  const taken = state.captured - state.givenBack;
  const { books } = state;
  const adopted =
    taken === 0
      ? books
      : { ...books, isClosed: true, atClose: count(books.events), billed: objectsNameUsage ? taken : books.billed };
  return [{ label: { step: 'adopt, and the hold ends' }, next: { ...state, books: adopted, isHeld: false } }];
}
