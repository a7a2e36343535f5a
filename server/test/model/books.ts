import type { Model, Transition } from './checker/model.ts';

/*
 * An invoice of 2. A void, a credit note of 1 and a payment from outside leave no trace at the gateway; refunds do. The database goes back
 * and forgets them. What was captured is adopted, not captured again (charge).
 */

export type BookRules = {
  /** Voids, credit notes and payments from outside are in a journal, which adopting applies. */
  journalsCorrections: boolean;
  /** Without a journal, what the backup has open is charged only after a person has released it. */
  personReleases: boolean;
  /** Adopting writes the gateway's refunds, too. */
  adoptsRefunds: boolean;
  /** A refund's key derives from its payment and the operator's key, and the gateway is asked first; else from a random id. */
  refundKeysAreLasting: boolean;
  /** A capture of a void invoice goes to a person; else it pays the invoice. */
  voidIsReviewed: boolean;
};

export const ALL_BOOK_RULES: BookRules = {
  journalsCorrections: true,
  personReleases: true,
  adoptsRefunds: true,
  refundKeysAreLasting: true,
  voidIsReviewed: true,
};

export type BookBounds = {
  hasJournal: boolean;
  /** The hold begins at once; else once somebody finds the capture that the books lack. */
  isNoticed: boolean;
  /** Corrections happen before the database goes back, or only afterwards, which a late hold is about. */
  corrections: 'before' | 'after';
};

type InvoiceState = 'open' | 'paid' | 'void' | 'review';
type Books = { state: InvoiceState; due: number; captured: number; refunds: readonly string[]; isReleased: boolean };
type State = {
  /** What is really owed, and what was paid for it from outside. */
  owed: number;
  fromOutside: number;
  captured: number;
  refunds: readonly string[];
  books: Books;
  backup: Books | null;
  isHeld: boolean;
  hasGoneBack: boolean;
};

export const BOOK_PROPERTIES = [
  'R1 no more than is owed',
  'R1 a refund is made once',
  'R2 void is not paid',
  'R2 refunds are in the books',
];
export const OVERPAID_ENDS = 'R1 what is too much is refunded';

/** The model with these rules and bounds. */
export function booksModel(rules: BookRules, bounds: BookBounds): Model<State> {
  return {
    initial: {
      ...{ owed: 2, fromOutside: 0, captured: 0, refunds: [], backup: null, isHeld: false, hasGoneBack: false },
      books: { state: 'open', due: 2, captured: 0, refunds: [], isReleased: true },
    },
    transitionsOf: (state) => [
      ...charge(state),
      ...correct(state, bounds),
      ...refund(state, rules),
      ...goBack(state, rules, bounds),
      ...adopt(state, rules, bounds),
      ...review(state),
    ],
    keyOf: JSON.stringify,
    invariants: {
      'R1 no more than is owed': (state) => state.books.state === 'review' || netOf(state) <= state.owed,
      'R1 a refund is made once': ({ refunds }) => refunds.filter((by) => by !== 'person').length <= 1,
      'R2 void is not paid': ({ owed, books }) => !(owed === 0 && books.state === 'paid'),
      'R2 refunds are in the books': ({ refunds, books, isHeld, hasGoneBack }) =>
        !hasGoneBack || isHeld || !bounds.isNoticed || refunds.length === 0 || books.refunds.length > 0,
    },
    liveness: { name: OVERPAID_ENDS, isCalm: () => true, isGood: (state) => netOf(state) <= state.owed },
  };
}

function netOf({ captured, fromOutside, refunds, owed }: State): number {
  // A refund that the operator asked for takes the debt down with it.
  const wanted = refunds.includes('operator') || refunds.includes('again') ? 1 : 0;
  return captured + fromOutside - refunds.length + (owed > 0 ? wanted : 0);
}

function charge(state: State): Transition<State>[] {
  const { books, isHeld } = state;
  if (isHeld || books.state !== 'open' || !books.isReleased) return [];
  const captured = state.captured === 0 ? books.due : state.captured;
  const isWhole = captured === books.due;
  const next = {
    ...state,
    captured,
    books: { ...books, captured, state: isWhole ? ('paid' as const) : ('review' as const) },
  };
  return [{ label: { step: 'charge', captured: state.captured === 0 }, next }];
}

/** A void, a credit note and a payment from outside, each once. */
function correct(state: State, { corrections }: BookBounds): Transition<State>[] {
  const { books, isHeld, owed, fromOutside, hasGoneBack } = state;
  if (isHeld || books.state !== 'open' || !books.isReleased || (corrections === 'after') !== hasGoneBack) return [];
  const steps: Transition<State>[] = [];
  if (owed === 2 && fromOutside === 0)
    steps.push({ label: { step: 'void' }, next: { ...state, owed: 0, books: { ...books, state: 'void', due: 0 } } });
  if (corrections === 'before' && owed === 2 && fromOutside === 0) {
    steps.push({ label: { step: 'credit note' }, next: { ...state, owed: 1, books: { ...books, due: 1 } } });
    const paid = { ...books, state: 'paid' as const };
    steps.push({ label: { step: 'payment from outside' }, next: { ...state, fromOutside: 2, books: paid } });
  }
  return steps;
}

/** The operator asks for one refund, and repeats the request with its key until it is told that it was made. */
function refund(state: State, { refundKeysAreLasting }: BookRules): Transition<State>[] {
  const { books, isHeld, refunds, hasGoneBack } = state;
  if (isHeld || books.state !== 'paid' || books.captured !== 2 || books.refunds.length > 0) return [];
  const name = refundKeysAreLasting || !hasGoneBack ? 'operator' : 'again';
  const made = refunds.includes(name) ? refunds : [...refunds, name];
  const next = { ...state, refunds: made, books: { ...books, refunds: [name] } };
  return [{ label: { step: 'refund', sent: made !== refunds }, next }];
}

function goBack(
  state: State,
  { personReleases }: BookRules,
  { isNoticed, hasJournal }: BookBounds,
): Transition<State>[] {
  const { backup, books, hasGoneBack, isHeld, captured } = state;
  if (hasGoneBack) {
    const isFound = !isNoticed && !isHeld && captured > 0 && books.captured === 0;
    return isFound ? [{ label: { step: 'the missing capture is found: hold' }, next: { ...state, isHeld: true } }] : [];
  }
  if (backup === null) return [{ label: { step: 'a backup is taken' }, next: { ...state, backup: books } }];
  const waits = isNoticed && !hasJournal && personReleases && backup.state === 'open';
  const restored = { ...backup, isReleased: !waits };
  const next = { ...state, books: restored, backup: null, hasGoneBack: true, isHeld: isNoticed };
  return [{ label: { step: 'the database goes back' }, next }];
}

/** What the correction left open: a person finds it in mails and bank statements, a journal has it. */
function corrected({ owed, fromOutside }: State, books: Books): Books {
  if (books.state !== 'open') return books;
  if (owed === 0) return { ...books, state: 'void', due: 0 };
  return fromOutside > 0 ? { ...books, state: 'paid' } : { ...books, due: owed };
}

function adopt(state: State, rules: BookRules, { hasJournal, corrections }: BookBounds): Transition<State>[] {
  if (!state.isHeld) {
    if (state.books.isReleased) return [];
    const books = { ...corrected(state, state.books), isReleased: true };
    return [{ label: { step: 'a person goes through the invoice, and releases it' }, next: { ...state, books } }];
  }
  const isApplied = hasJournal && rules.journalsCorrections && corrections === 'before';
  let books = isApplied ? corrected(state, state.books) : state.books;
  if (state.captured > 0 && books.captured === 0) {
    const isExact = books.state === 'open' && books.due === state.captured;
    const after = isExact || !rules.voidIsReviewed ? ('paid' as const) : ('review' as const);
    books = { ...books, captured: state.captured, state: after };
  }
  if (rules.adoptsRefunds) books = { ...books, refunds: state.refunds };
  return [{ label: { step: 'adopt, and the hold ends' }, next: { ...state, books, isHeld: false } }];
}

/** A person refunds what is too much. */
function review(state: State): Transition<State>[] {
  const { books, isHeld, refunds, owed } = state;
  if (isHeld || books.state !== 'review' || netOf(state) <= owed) return [];
  const made = [...refunds, 'person'];
  return [
    { label: { step: 'a person refunds 1' }, next: { ...state, refunds: made, books: { ...books, refunds: made } } },
  ];
}
