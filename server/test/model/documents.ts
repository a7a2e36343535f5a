import type { Model, Transition } from './checker/model.ts';

/*
 * Two debts: a month of usage, which a run bills, and one that the operator's own system bills by hand. Their invoices take numbers of one
 * series, are mailed, and are captured. The database goes back, and with it the counter of the series. Not in it: the charge's inside
 * (charge).
 */

export type DocumentRules = {
  /** A capture pays the invoice of the same debt; else the one with the same number, or the same id. */
  matchesBy: 'debt' | 'number' | 'id';
  /** The series goes on after the highest number in the database, the journals and the gateway; else after the database's. */
  seriesGoesOnAfterAll: boolean;
  /** With a journal lost, a new series begins. */
  lostJournalBeginsSeries: boolean;
  /** A hold stops the issuing of documents. */
  holdStopsIssuing: boolean;
  /** An invoice by hand has the operator's reference, which is unique for ever. */
  hasReferences: boolean;
  /** A capture without an invoice gets one, with the id and number that its object names. */
  adoptsWithoutInvoice: boolean;
  /** The documents of a journal are written again, paid or not; what can't be is recorded as lost. */
  restoresDocuments: boolean;
};

export const ALL_DOCUMENT_RULES: DocumentRules = {
  matchesBy: 'debt',
  seriesGoesOnAfterAll: true,
  lostJournalBeginsSeries: true,
  holdStopsIssuing: true,
  hasReferences: true,
  adoptsWithoutInvoice: true,
  restoresDocuments: true,
};

type Debt = 'usage' | 'manual';
/** `payer` is the debt whose capture paid it. */
type Invoice = { id: number; series: number; number: number; debt: Debt; payer: Debt | null };
type Sent = Pick<Invoice, 'id' | 'series' | 'number' | 'debt'>;
type Books = { invoices: readonly Invoice[]; series: number; last: number; lost: readonly string[] };
type State = {
  books: Books;
  backup: Books | null;
  captures: readonly Sent[];
  mailed: readonly Sent[];
  journal: readonly Sent[];
  isHeld: boolean;
  hasGoneBack: boolean;
  /** The hold has ended. */
  hasAdopted: boolean;
  /** The operator's system has sent its request again, because its answer was lost. */
  hasRepeated: boolean;
};

const DEBTS: readonly Debt[] = ['usage', 'manual'];
/** A run's invoice has an id that derives from its debt; others count from here. */
const RUN_ID = 1;

export const DOCUMENT_PROPERTIES = [
  'R1 a debt is captured once',
  'R2 a capture pays its own debt',
  'R2 captures have an invoice',
  'R4 a number names one document',
];
export const NUMBERS_KEPT = 'R4 mailed numbers are kept or recorded as lost';

export type DocumentBounds = {
  hasJournal: boolean;
  /** The hold begins at once; else at any time after the database went back. */
  isNoticed: boolean;
};

/** The model with these rules and bounds. */
export function documentsModel(rules: DocumentRules, bounds: DocumentBounds): Model<State> {
  const books: Books = { invoices: [], series: 1, last: 0, lost: [] };
  return {
    initial: {
      ...{ books, backup: null, captures: [], mailed: [], journal: [] },
      ...{ isHeld: false, hasGoneBack: false, hasAdopted: false, hasRepeated: false },
    },
    transitionsOf: (state) => [
      ...DEBTS.flatMap((debt) => issue(state, rules, debt)),
      ...mail(state),
      ...charge(state, rules),
      ...goBack(state, bounds),
      ...adopt(state, rules, bounds.hasJournal),
    ],
    keyOf: JSON.stringify,
    invariants: {
      'R1 a debt is captured once': ({ captures }) =>
        DEBTS.every((debt) => captures.filter((capture) => capture.debt === debt).length <= 1),
      'R2 a capture pays its own debt': ({ books: { invoices } }) =>
        invoices.every(({ payer, debt }) => payer === null || payer === debt),
      'R2 captures have an invoice': ({ books, captures, hasAdopted }) =>
        !hasAdopted || captures.every(({ debt }) => books.invoices.some((invoice) => invoice.debt === debt)),
      'R4 a number names one document': ({ mailed, books: { invoices } }) => {
        const all = [...mailed, ...invoices];
        return all.every((one) => all.every((other) => nameOf(one) !== nameOf(other) || isSame(one, other)));
      },
      [NUMBERS_KEPT]: ({ books, mailed, hasAdopted, hasGoneBack }) =>
        (hasGoneBack && !hasAdopted) ||
        mailed.every(
          (one) => books.lost.includes(nameOf(one)) || books.invoices.some((invoice) => isSame(invoice, one)),
        ),
    },
  };
}

function nameOf({ series, number }: Pick<Sent, 'series' | 'number'>): string {
  return `${series}-${number}`;
}

function isSame(one: Sent, other: Sent): boolean {
  return one.id === other.id && one.debt === other.debt && nameOf(one) === nameOf(other);
}

/** A run bills a month once; the operator's system may send its request again after the database went back. */
function issue(state: State, { holdStopsIssuing, hasReferences }: DocumentRules, debt: Debt): Transition<State>[] {
  const { books, isHeld, hasGoneBack, hasRepeated } = state;
  if (isHeld && holdStopsIssuing) return [];
  const isIssued = books.invoices.some((invoice) => invoice.debt === debt);
  const isRepeat = debt === 'manual' && hasGoneBack && !hasRepeated && !hasReferences;
  if (isIssued && !isRepeat) return [];
  const ids = [...books.invoices, ...state.captures, ...state.mailed, ...state.journal].map(({ id }) => id);
  const id = debt === 'usage' ? RUN_ID : 1 + Math.max(RUN_ID, ...ids);
  const invoice: Invoice = { id, series: books.series, number: books.last + 1, debt, payer: null };
  const next: State = {
    ...state,
    books: { ...books, last: books.last + 1, invoices: [...books.invoices, invoice] },
    journal: [...state.journal, toSent(invoice)],
    hasRepeated: hasRepeated || (debt === 'manual' && hasGoneBack),
  };
  return [{ label: { step: 'issue', debt, number: nameOf(invoice) }, next }];
}

function toSent({ id, series, number, debt }: Sent): Sent {
  return { id, series, number, debt };
}

function mail(state: State): Transition<State>[] {
  return state.books.invoices
    .filter((invoice) => !state.mailed.some((sent) => isSame(sent, invoice)))
    .map((invoice) => ({
      label: { step: 'mail', debt: invoice.debt, number: nameOf(invoice) },
      next: { ...state, mailed: [...state.mailed, toSent(invoice)] },
    }));
}

/** Whether the gateway's object is of the invoice's debt: without a reference, the invoice's id is its debt's name. */
function isOfDebt(capture: Sent, invoice: Sent, { hasReferences }: DocumentRules): boolean {
  return capture.debt === invoice.debt && (invoice.debt === 'usage' || hasReferences || capture.id === invoice.id);
}

/** The charge as a whole: what the gateway has of the debt is adopted, else it is captured. */
function charge(state: State, rules: DocumentRules): Transition<State>[] {
  if (state.isHeld) return [];
  return state.books.invoices
    .filter(({ payer }) => payer === null)
    .map((invoice) => {
      const found = state.captures.some((capture) => rules.matchesBy === 'debt' && isOfDebt(capture, invoice, rules));
      const captures = found ? state.captures : [...state.captures, toSent(invoice)];
      const books = { ...state.books, invoices: withPayer(state.books.invoices, invoice, invoice.debt) };
      return { label: { step: 'charge', debt: invoice.debt, captured: !found }, next: { ...state, books, captures } };
    });
}

function withPayer(invoices: readonly Invoice[], paid: Invoice, payer: Debt): Invoice[] {
  return invoices.map((invoice) => (invoice === paid ? { ...invoice, payer } : invoice));
}

function goBack(state: State, { isNoticed }: DocumentBounds): Transition<State>[] {
  const { backup, books, hasGoneBack, hasAdopted, isHeld } = state;
  if (hasGoneBack) {
    const isLate = !isNoticed && !hasAdopted && !isHeld;
    return isLate ? [{ label: { step: 'hold' }, next: { ...state, isHeld: true } }] : [];
  }
  if (backup === null) return [{ label: { step: 'a backup is taken' }, next: { ...state, backup: books } }];
  return [
    {
      label: { step: 'the database goes back' },
      next: { ...state, books: backup, backup: null, hasGoneBack: true, isHeld: isNoticed },
    },
  ];
}

/** Each capture gets its invoice; then the journal's documents are written again, and the hold ends. */
function adopt(state: State, rules: DocumentRules, hasJournal: boolean): Transition<State>[] {
  if (!state.isHeld) return [];
  const { books } = state;
  const open = state.captures.filter((capture) => !isAdopted(capture, books));
  const adoptable = open.filter(
    (capture) => rules.adoptsWithoutInvoice || invoiceOf(capture, books, rules) !== undefined,
  );
  if (adoptable.length === 0) return [endHold(state, rules, hasJournal)];
  return adoptable.map((capture) => {
    const invoice = invoiceOf(capture, books, rules);
    const invoices = invoice
      ? withPayer(books.invoices, invoice, capture.debt)
      : [...books.invoices, { ...capture, payer: capture.debt }];
    const label = { step: invoice ? 'adopt' : 'adopt, and write the invoice again', number: nameOf(capture) };
    return { label, next: { ...state, books: { ...books, invoices } } };
  });
}

function isAdopted(capture: Sent, { invoices }: Books): boolean {
  return invoices.some(({ payer, id }) => payer !== null && (payer === capture.debt || id === capture.id));
}

function invoiceOf(capture: Sent, { invoices }: Books, rules: DocumentRules): Invoice | undefined {
  return invoices.find((invoice) => {
    if (invoice.payer !== null) return false;
    if (rules.matchesBy === 'debt') return isOfDebt(capture, invoice, rules);
    return rules.matchesBy === 'number' ? nameOf(capture) === nameOf(invoice) : capture.id === invoice.id;
  });
}

/** Numbers that are known and have no document are recorded as lost, and the series goes on where no number was given. */
function endHold(state: State, rules: DocumentRules, hasJournal: boolean): Transition<State> {
  const { books, captures, mailed } = state;
  const documents = hasJournal ? state.journal : [];
  const known = [...captures, ...documents];
  const missing = known.filter((one) => !books.invoices.some((invoice) => nameOf(invoice) === nameOf(one)));
  const isFree = ({ debt }: Sent) => !books.invoices.some((invoice) => invoice.debt === debt);
  const written = rules.restoresDocuments ? documents.filter((one) => missing.includes(one) && isFree(one)) : [];
  const lost = missing.filter((one) => !written.includes(one)).map(nameOf);
  // With the journal lost, a person records the numbers that customers have.
  const told = hasJournal
    ? []
    : mailed.filter((one) => !books.invoices.some((invoice) => isSame(invoice, one))).map(nameOf);
  const invoices = [...books.invoices, ...written.map((one) => ({ ...one, payer: null }))];
  const isNew = !hasJournal && rules.lostJournalBeginsSeries;
  const highest = Math.max(
    books.last,
    ...known.filter(({ series }) => series === books.series).map(({ number }) => number),
  );
  const last = isNew ? 0 : rules.seriesGoesOnAfterAll ? highest : books.last;
  return {
    label: { step: 'the hold ends', series: isNew ? books.series + 1 : books.series, after: last },
    next: {
      ...state,
      ...{ isHeld: false, hasAdopted: true },
      books: {
        ...{ invoices, last, series: isNew ? books.series + 1 : books.series },
        lost: rules.restoresDocuments ? [...books.lost, ...lost, ...told] : books.lost,
      },
    },
  };
}
