import type { Setting } from './rules.ts';

/*
 * One debt: what a company used in a month. Its invoice, its payments here, its objects at the gateway, and the processes that charge it.
 * Payments and objects have the numbers 1, 2, …; 0 is none.
 */

/**
 * A payment that runs is live until the gateway says that it waits for the customer (`requires_action`), or that its debit is on its way
 * (`processing`). A failed payment was refused by the gateway; a withdrawn one was not sent, or another payment counts instead.
 */
export type RunningState = 'live' | 'requires_action' | 'processing';
export type PaymentState = RunningState | 'captured' | 'review' | 'failed' | 'withdrawn';
export type Payment = {
  id: number;
  gateway: number;
  invoice: number;
  amount: number;
  object: number;
  state: PaymentState;
};
export type Invoice = { id: number; amount: number; state: 'open' | 'failed' | 'paid' };

/** What a database says. A held one charges nothing. */
export type Books = {
  usage: number;
  invoice: Invoice | null;
  payments: readonly Payment[];
  isHeld: boolean;
  /** The objects that a hold has found and nobody has dealt with. */
  cases: readonly number[];
  /** The objects whose case was dealt with: they are not found again. */
  dealtWith: readonly number[];
  /** The marks of payments that are not here; each payment has its id as its mark, and all of its objects carry it. */
  marks: readonly number[];
};

/** In `requires_action` it waits for the customer, who may come at any time; in `processing` it is a debit that can't be canceled. */
export type ObjectState = 'created' | 'declined' | 'requires_action' | 'processing' | 'captured' | 'canceled';
export type GatewayObject = {
  gateway: number;
  /** What it says of its origin. */
  invoice: number;
  payment: number;
  sequence: number;
  amount: number;
  state: ObjectState;
  /** The gateway still knows the key that created it. */
  isKeyKept: boolean;
  /** A confirmation is on its way. */
  isConfirming: boolean;
  /** A search shows it. */
  isShown: boolean;
};

/** Where a process is; each name is the step that comes next. */
export type Place =
  | 'idle'
  | 'T1'
  | 'ask others'
  | 'close others'
  | 'ask'
  | 'close'
  | 'close own'
  | 'adopt'
  | 'create'
  | 'skip'
  | 'T2'
  | 'confirm'
  | 'wait'
  | 'find'
  | 'look'
  | 'await customer'
  | 'await bank'
  | 'cancel'
  | 'T3'
  | 'fail'
  | 'refuse';

/** What a process asks for: before it creates, before it fails the payment, because of a conflict, or of a capture elsewhere. */
export type Purpose = 'create' | 'fail' | 'refuse' | 'conflict' | 'adopt';

export type Process = {
  /** Whose books it works on: after a split, 1 is the old primary. */
  database: 0 | 1;
  at: Place;
  gateway: number;
  payment: number;
  amount: number;
  /** The object that it confirms, cancels, or ends the payment with. */
  object: number;
  /** The object that the payment had recorded when the process took it up. */
  own: number;
  /** What it is about to cancel, to adopt or to record. */
  targets: readonly number[];
  sequence: number;
  purpose: Purpose;
  /** It is the request that began the payment, not a reconciler. */
  isRequest: boolean;
};

export type State = {
  /** The database, and the old one that lives on after a split. */
  books: readonly [Books, Books | null];
  backup: Books | null;
  objects: readonly GatewayObject[];
  processes: readonly Process[];
  /** How often the database went back. */
  wentBack: number;
  isCalm: boolean;
};

export const IDLE: Process = {
  database: 0,
  at: 'idle',
  gateway: 1,
  payment: 0,
  amount: 0,
  object: 0,
  own: 0,
  targets: [],
  sequence: 0,
  purpose: 'create',
  isRequest: false,
};

/** A company that has used 1, and whose month is not billed yet. */
export function initialState({ bounds }: Setting): State {
  return {
    books: [{ usage: 1, invoice: null, payments: [], isHeld: false, cases: [], dealtWith: [], marks: [] }, null],
    backup: null,
    objects: [],
    processes: Array.from({ length: bounds.processes }, () => IDLE),
    wentBack: 0,
    isCalm: false,
  };
}

const IDLE_ON = [IDLE, { ...IDLE, database: 1 }] as const;

/** The process without a task, on the database that it works on. */
export function idle({ database }: Process): Process {
  return IDLE_ON[database];
}

/** The books that a process works on. */
export function booksOf({ books }: State, { database }: Pick<Process, 'database'>): Books {
  return books[database] ?? books[0];
}

/** The same state with other books in a database. */
export function withBooks(state: State, database: 0 | 1, books: Books): State {
  return { ...state, books: database === 0 ? [books, state.books[1]] : [state.books[0], books] };
}

/** The same state with another object; objects count from 1. */
export function withObject(state: State, object: number, change: Partial<GatewayObject>): State {
  const objects = state.objects.map((one, index) => (index === object - 1 ? { ...one, ...change } : one));
  return { ...state, objects };
}

/** The same state with a process elsewhere. */
export function withProcess(state: State, process: number, change: Process): State {
  return { ...state, processes: state.processes.map((one, index) => (index === process ? change : one)) };
}

/** The object with this number. @throws Error when there is none */
export function objectAt({ objects }: Pick<State, 'objects'>, object: number): GatewayObject {
  const found = objects[object - 1];
  if (found === undefined) throw new Error(`There is no object ${object}.`);
  return found;
}

/** An id that nothing in this state has. */
export function freshId({ books, backup, objects, processes }: State): number {
  let highest = 0;
  for (const each of [books[0], books[1], backup])
    for (const { id } of each?.payments ?? []) highest = Math.max(highest, id);
  for (const { payment } of objects) highest = Math.max(highest, payment);
  for (const { payment } of processes) highest = Math.max(highest, payment);
  return highest + 1;
}
