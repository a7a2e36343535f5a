import type { Label, Transition } from '../checker/model.ts';
import { adopt, adoptDebit, isRunning, livePayment } from './books.ts';
import { canceled, countsAsOpen, isOpen, listed } from './gateway.ts';
import type { Rules, Setting } from './rules.ts';
import { type Books, freshId, type Invoice, idle, objectAt, type State, withBooks } from './state.ts';

/* A database that goes back, the hold that follows, and `reconcile --adopt`, which brings the books together an object at a time. */

type Steps = Transition<State>[];

/** Usage arrives, the month is billed, a backup is taken, the database goes back, and everything calms down. */
export function worldTransitions(state: State, { rules, bounds }: Setting): Steps {
  const [current, old] = state.books;
  const steps: Steps = [];
  if (bounds.usageGrows && current.usage === 1 && current.invoice === null && state.wentBack === 0)
    steps.push({ label: { step: 'more usage arrives' }, next: withBooks(state, 0, { ...current, usage: 2 }) });
  for (const [database, books] of [current, old].entries()) {
    if (books === null || books.invoice !== null || (books.isHeld && rules.holdStopsRuns)) continue;
    const invoice: Invoice = { id: invoiceId(state, rules.keysFrom === 'debt'), amount: books.usage, state: 'open' };
    const label = { step: 'the run bills the month', amount: invoice.amount };
    steps.push({ label, next: withBooks(state, database === 0 ? 0 : 1, { ...books, invoice }) });
  }
  if (bounds.calmsDown && !state.isCalm) steps.push({ label: { step: 'calm' }, next: { ...state, isCalm: true } });
  if (bounds.goesBack === 'never' || state.isCalm || state.wentBack >= bounds.timesBack) return steps;
  if (state.backup === null) steps.push({ label: { step: 'a backup is taken' }, next: { ...state, backup: current } });
  else
    steps.push({
      label: { step: `the database goes back (${bounds.goesBack})` },
      next: goBack(state, state.backup, bounds),
    });
  return steps;
}

/** The id of a run's invoice derives from its debt; a random one is another each time. */
function invoiceId({ books, backup, objects }: State, isOfDebt: boolean): number {
  if (isOfDebt) return 1;
  const ids = [...books, backup].map((one) => one?.invoice?.id ?? 0);
  return 1 + Math.max(0, ...ids, ...objects.map(({ invoice }) => invoice));
}

/** The database is what the backup says; processes live on, or begin again. */
export function goBack(state: State, backup: Books, { goesBack, isNoticed }: Setting['bounds']): State {
  const last = state.processes.length - 1;
  return {
    ...state,
    books: [
      { ...backup, isHeld: backup.isHeld || isNoticed === 'at once' },
      goesBack === 'split' ? state.books[0] : null,
    ],
    backup: null,
    wentBack: state.wentBack + 1,
    processes: state.processes.map((process, index) => {
      // A transaction that had not committed is gone with its connection.
      const known = process.at === 'T1' ? idle(process) : process;
      if (goesBack === 'split' && index === last) return { ...known, database: 1 };
      return goesBack === 'failover' ? known : idle(process);
    }),
  };
}

/** A process ends, and with it all that it knew. */
export function crash(state: State): Steps {
  if (state.isCalm) return [];
  return state.processes.flatMap(({ at }, index) => {
    if (at === 'idle') return [];
    const processes = state.processes.map((one, other) => (other === index ? idle(one) : one));
    return [{ label: { by: index + 1, step: 'crash' }, next: { ...state, processes } }];
  });
}

/**
 * The hold: passes find what is missing, `reconcile --adopt --yes` deals with it an object at a time, and the hold ends with a pass that
 * finds nothing.
 */
export function adoptTransitions(state: State, setting: Setting): Steps {
  const books = state.books[0];
  if (!books.isHeld) return beginHold(state, setting);
  const missing = missingObjects(state, setting, books);
  const ended = books.cases.filter((object) => isEnded(state, setting, books, object));
  const end = missing.length + books.cases.length === 0 && mayEnd(state, setting) ? [endHold(state, setting)] : [];
  return [
    ...missing.filter((object) => !books.cases.includes(object)).map((object) => find(state, object)),
    ...ended.map((object) => decide(state, { step: 'a pass: present', object }, object)),
    ...books.cases.flatMap((object) => dealWith(state, setting, object)),
    ...runningCaptures(state, setting).map((object) => take(state, object)),
    ...end,
  ];
}

/** What the database lacks of what the gateway shows, as a pass compares it: recovery/marks/compare.worker.queries.ts. */
export function missingObjects(state: State, setting: Setting, books: Books): number[] {
  const { searchLags } = setting.bounds;
  return listed(state, setting, books).filter((object) => {
    const isListed = !searchLags || objectAt(state, object).state === 'captured';
    return isListed && !books.dealtWith.includes(object) && !isPresent(state, setting, books, object);
  });
}

/** It is in the books, or its mark, which all objects of a payment have, is there and stands for it. */
function isPresent(state: State, { rules }: Setting, books: Books, object: number): boolean {
  const { payment, state: is } = objectAt(state, object);
  const standsFor: Record<Rules['markStandsFor'], boolean> = {
    'canceled objects': is === 'canceled',
    'uncaptured objects': is !== 'captured',
    'all objects': true,
  };
  const isMarked = standsFor[rules.markStandsFor] && books.marks.includes(payment);
  return isMarked || isInBooks(state, rules, books, object);
}

/** A payment has the object, or waits for an outcome; or nothing was captured, and the payment is here. */
function isInBooks(state: State, rules: Rules, books: Books, object: number): boolean {
  const { payment, state: is } = objectAt(state, object);
  const isEnough = is !== 'captured' && books.payments.some(({ id }) => id === payment);
  return isEnough || isAwaited(state, rules, books, object);
}

/** A payment has the object, or waits for an outcome. */
function isAwaited(state: State, { endedPaymentsHideCaptures }: Rules, { payments }: Books, object: number): boolean {
  const { payment } = objectAt(state, object);
  return payments.some(({ id, object: own, state: is }) => {
    const mayAsk = isRunning({ state: is }) || is === 'review' || endedPaymentsHideCaptures;
    return own === object || (id === payment && mayAsk);
  });
}

/** Whether a pass ends the open case of this object. */
function isEnded(state: State, { rules }: Setting, books: Books, object: number): boolean {
  const isMarked = rules.markStandsFor === 'all objects' && books.marks.includes(objectAt(state, object).payment);
  return isMarked || isAwaited(state, rules, books, object);
}

function beginHold(state: State, setting: Setting): Steps {
  const books = state.books[0];
  const isSeen = setting.bounds.isNoticed === 'later' && state.wentBack > 0;
  if (!isSeen || missingObjects(state, setting, books).length === 0) return [];
  return [{ label: { step: 'the hold begins' }, next: withBooks(state, 0, { ...books, isHeld: true }) }];
}

function find(state: State, object: number): Transition<State> {
  const books = state.books[0];
  const next = withBooks(state, 0, { ...books, cases: [...books.cases, object] });
  return { label: { step: 'a pass: missing', object }, next };
}

/** The case is over, and the mark of its object is in the database. */
function decide(state: State, label: Label, object: number): Transition<State> {
  const books = state.books[0];
  const next = withMarks(
    {
      ...books,
      cases: books.cases.filter((other) => other !== object),
      dealtWith: [...books.dealtWith.filter((other) => other !== object), object],
    },
    label.step === 'a pass: present' ? [] : [objectAt(state, object).payment],
  );
  return { label, next: withBooks(state, 0, next) };
}

function withMarks(books: Books, marks: readonly number[]): Books {
  const isNew = (mark: number) => !books.payments.some(({ id }) => id === mark);
  return { ...books, marks: [...new Set([...books.marks, ...marks])].filter(isNew) };
}

/**
 * A gateway call or a transaction of `adoptPayment`. What is open is canceled; what is captured then gets into the books, and so does a
 * debit on its way, which can't be canceled.
 */
function dealWith(state: State, setting: Setting, object: number): Steps {
  const { rules } = setting;
  const books = state.books[0];
  const { state: is } = objectAt(state, object);
  if (countsAsOpen(objectAt(state, object), rules) && rules.adoptClosesObjects)
    return [close(state, object), ...(is === 'declined' ? endedMeanwhile(state, setting, object) : [])];
  const isDebit = is === 'processing' && rules.adoptsDebits;
  if (is !== 'captured' && !isDebit) return [decide(state, { step: 'adopt: not captured', object }, object)];
  if (books.invoice === null && !rules.adoptsWithoutInvoice)
    return [decide(state, { step: 'adopt: left out', object }, object)];
  const live = livePayment(books);
  const own = live !== null && isRunning(live) ? live.object : 0;
  if (own !== 0 && own !== object) {
    if (isOpen(objectAt(state, own))) return [close(state, own)];
    if (objectAt(state, own).state === 'captured') return [take(state, own)];
  }
  if (isDebit) return [decide(run(state, object).next, { step: 'adopt: debit', object }, object)];
  return [
    decide(take(state, object).next, { step: 'adopt: capture', object }, object),
    ...endedMeanwhile(state, setting, object),
  ];
}

/** The gateway has said that the debit is on its way, and by the time of the transaction it has ended. */
function endedMeanwhile(state: State, { rules, bounds }: Setting, object: number): Steps {
  if (!bounds.sendsDebits || !rules.adoptsDebits) return [];
  return [decide(run(state, object).next, { step: 'adopt: debit', object }, object)];
}

/** Captures of the payment that runs here; also by `reconcile --adopt --yes`, which may never be run if nothing is missing. */
function runningCaptures(state: State, setting: Setting): number[] {
  const live = livePayment(state.books[0]);
  if (live === null || !isRunning(live)) return [];
  return listed(state, setting, state.books[0]).filter((object) => {
    const { payment, state: is } = objectAt(state, object);
    return is === 'captured' && (live.object === 0 ? payment === live.id : object === live.object);
  });
}

function close(state: State, object: number): Transition<State> {
  return { label: { step: 'adopt: cancel', object }, next: canceled(state, object) };
}

function take(state: State, object: number): Transition<State> {
  const next = adopt(withInvoice(state, object), object, objectAt(state, object), freshId(state));
  return { label: { step: 'adopt: capture', object }, next: withBooks(state, 0, withMarks(next, [])) };
}

function run(state: State, object: number): Transition<State> {
  const next = adoptDebit(withInvoice(state, object), object, objectAt(state, object), freshId(state));
  return { label: { step: 'adopt: debit', object }, next: withBooks(state, 0, withMarks(next, [])) };
}

/** An invoice that is lost is written again. */
function withInvoice(state: State, object: number): Books {
  const { invoice: id, amount } = objectAt(state, object);
  const [books] = state.books;
  return { ...books, invoice: books.invoice ?? { id, amount, state: 'open' } };
}

/**
 * Requests that were sent before have arrived, the gateway's search has caught up, and nobody is about to confirm what was read before. (A
 * process that was suspended for longer is noticed by the mark of its object.)
 */
function mayEnd({ objects, processes }: State, { rules }: Setting): boolean {
  if (!rules.holdOutlastsRequests) return true;
  const haveArrived = objects.every(
    ({ isConfirming, isShown, state }) => !isConfirming && (isShown || state !== 'captured'),
  );
  return haveArrived && !processes.some(({ at }) => at === 'confirm' || at === 'find');
}

/** The end writes the marks that only journals have. */
function endHold(state: State, { bounds }: Setting): Transition<State> {
  const books = state.books[0];
  const known = withMarks(
    { ...books, isHeld: false },
    [...state.objects, ...state.processes].map(({ payment }) => payment).filter((id) => id > 0),
  );
  const isLast = bounds.isNoticed !== 'later' && state.wentBack >= bounds.timesBack;
  // Nothing is compared any more.
  const next = isLast ? { ...known, dealtWith: [], marks: [] } : known;
  return { label: { step: 'the hold ends' }, next: withBooks(state, 0, next) };
}
