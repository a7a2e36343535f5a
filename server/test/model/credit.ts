import type { Model, Transition } from './checker/model.ts';

/*
 * A company with a credit of 1, and two invoices, of 2 and of 1. A payment takes the credit and charges the rest; the gateway's object says
 * how much credit its payment took. The database goes back and forgets that the credit was spent. A capture that is there is not made
 * again (charge).
 */

export type CreditRules = {
  /** The gateway's object says how much credit its payment took, and adopting takes it again. */
  objectsNameCredit: boolean;
  /** A capture whose credit is gone goes to a person; else the invoice is simply paid. */
  missingCreditIsReviewed: boolean;
};

export const ALL_CREDIT_RULES: CreditRules = { objectsNameCredit: true, missingCreditIsReviewed: true };

type InvoiceState = 'open' | 'paid' | 'review';
type Books = { credit: number; invoices: readonly [InvoiceState, InvoiceState] };
type Capture = { amount: number; credit: number };
type State = {
  books: Books;
  backup: Books | null;
  captures: readonly [Capture | null, Capture | null];
  isHeld: boolean;
  hasGoneBack: boolean;
};

const AMOUNTS = [2, 1] as const;
export const CREDIT_ONCE = 'R7 credit is spent once';
export const NO_REVIEW = 'adopting needs no person';

/** The model with these rules. With `spendsMeanwhile` the hold comes late, so that the credit may be gone when it begins. */
export function creditModel(rules: CreditRules, { spendsMeanwhile = false } = {}): Model<State> {
  const books: Books = { credit: 1, invoices: ['open', 'open'] };
  return {
    initial: { books, backup: null, captures: [null, null], isHeld: false, hasGoneBack: false },
    transitionsOf: (state) => [
      ...([0, 1] as const).flatMap((index) => pay(state, index)),
      ...goBack(state, spendsMeanwhile),
      ...adopt(state, rules),
    ],
    keyOf: JSON.stringify,
    invariants: {
      [CREDIT_ONCE]: ({ books: { invoices }, captures, isHeld }) => {
        const isPaid = !isHeld && invoices.every((invoice) => invoice === 'paid');
        return !isPaid || captures.reduce((sum, capture) => sum + (capture?.amount ?? 0), 0) >= 2;
      },
      [NO_REVIEW]: ({ books: { invoices } }) => !invoices.includes('review'),
    },
  };
}

function pay({ books, captures, isHeld, ...rest }: State, index: 0 | 1): Transition<State>[] {
  if (isHeld || books.invoices[index] !== 'open' || captures[index] !== null) return [];
  const credit = Math.min(books.credit, AMOUNTS[index]);
  const amount = AMOUNTS[index] - credit;
  const next: State = {
    ...{ ...rest, isHeld, books: withInvoice(books, index, 'paid', credit) },
    captures: amount === 0 ? captures : replace(captures, index, { amount, credit }),
  };
  return [{ label: { step: 'pay', invoice: index + 1, credit, amount }, next }];
}

function goBack(state: State, spendsMeanwhile: boolean): Transition<State>[] {
  const { backup, hasGoneBack, isHeld, books } = state;
  if (spendsMeanwhile && hasGoneBack && !isHeld) return [{ label: { step: 'hold' }, next: { ...state, isHeld: true } }];
  if (hasGoneBack) return [];
  if (backup === null) return [{ label: { step: 'a backup is taken' }, next: { ...state, backup: books } }];
  const next = { ...state, books: backup, backup: null, hasGoneBack: true, isHeld: !spendsMeanwhile };
  return [{ label: { step: 'the database goes back' }, next }];
}

/** Each capture that the books lack pays its invoice, if the capture and its credit are what is due. */
function adopt(state: State, { objectsNameCredit, missingCreditIsReviewed }: CreditRules): Transition<State>[] {
  if (!state.isHeld) return [];
  let { books } = state;
  for (const index of [0, 1] as const) {
    const capture = state.captures[index];
    if (capture === null || books.invoices[index] !== 'open') continue;
    const credit = objectsNameCredit ? capture.credit : 0;
    const isWhole = capture.amount + credit === AMOUNTS[index];
    if (isWhole && books.credit >= credit) books = withInvoice(books, index, 'paid', credit);
    else books = withInvoice(books, index, missingCreditIsReviewed ? 'review' : 'paid', 0);
  }
  return [{ label: { step: 'adopt, and the hold ends' }, next: { ...state, books, isHeld: false } }];
}

function withInvoice({ credit, invoices }: Books, index: 0 | 1, state: InvoiceState, spent: number): Books {
  return { credit: credit - spent, invoices: replace(invoices, index, state) };
}

function replace<T>([first, second]: readonly [T, T], index: 0 | 1, value: T): [T, T] {
  return index === 0 ? [value, second] : [first, value];
}
