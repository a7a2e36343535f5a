import type { Transition } from '../checker/model.ts';
import { adopt, livePayment } from './books.ts';
import { canceled, isOpen, listed } from './gateway.ts';
import type { Setting } from './rules.ts';
import { type Books, freshId, type Invoice, idle, objectAt, type State, withBooks } from './state.ts';

/* A database that goes back, the hold that follows, and `reconcile --adopt`, which brings the books together an object at a time. */

type Steps = Transition<State>[];

/** Usage arrives, the month is billed, a backup is taken, the database goes back, and everything calms down. */
export function worldTransitions(state: State, { rules, bounds }: Setting): Steps {
  const [current, old] = state.books;
  const steps: Steps = [];
  if (bounds.usageGrows && current.usage === 1 && current.invoice === null && !state.hasGoneBack)
    steps.push({ label: { step: 'more usage arrives' }, next: withBooks(state, 0, { ...current, usage: 2 }) });
  for (const [database, books] of [current, old].entries()) {
    if (books === null || books.invoice !== null || (books.isHeld && rules.holdStopsRuns)) continue;
    const invoice: Invoice = { id: invoiceId(state, rules.keysFrom === 'debt'), amount: books.usage, state: 'open' };
    const label = { step: 'the run bills the month', amount: invoice.amount };
    steps.push({ label, next: withBooks(state, database === 0 ? 0 : 1, { ...books, invoice }) });
  }
  if (bounds.calmsDown && !state.isCalm) steps.push({ label: { step: 'calm' }, next: { ...state, isCalm: true } });
  if (bounds.goesBack === 'never' || state.isCalm || state.hasGoneBack) return steps;
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
    books: [{ ...backup, isHeld: isNoticed }, goesBack === 'split' ? state.books[0] : null],
    backup: null,
    hasGoneBack: true,
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

/** `reconcile --adopt --yes`, an object at a time, and the end of the hold once a pass finds nothing. */
export function adoptTransitions(state: State, setting: Setting): Steps {
  const books = state.books[0];
  if (!books.isHeld) return [];
  const shown = listed(state, setting, books);
  const closable = setting.rules.adoptClosesObjects ? shown.filter((object) => isOpen(objectAt(state, object))) : [];
  if (closable.length > 0) return closable.map((object) => close(state, object));
  const captures = shown.filter((object) => objectAt(state, object).state === 'captured' && !hasCapture(books, object));
  const adoptable = books.invoice !== null || setting.rules.adoptsWithoutInvoice ? captures : [];
  if (adoptable.length > 0) return adoptable.map((object) => take(state, object));
  return mayEnd(state, setting) ? [endHold(state, books)] : [];
}

/** The books have the capture, or a person was given it: it is not found again. */
function hasCapture(books: Books, object: number): boolean {
  const live = livePayment(books);
  const holder = books.payments.find((payment) => payment.object === object);
  return holder !== undefined ? holder.state !== 'live' : live?.state === 'captured' || live?.state === 'review';
}

function close(state: State, object: number): Transition<State> {
  return { label: { step: 'adopt: cancel', object }, next: canceled(state, object) };
}

function take(state: State, object: number): Transition<State> {
  const capture = objectAt(state, object);
  const books = state.books[0];
  const invoice: Invoice = books.invoice ?? { id: capture.invoice, amount: capture.amount, state: 'open' };
  const next = adopt({ ...books, invoice }, object, capture, freshId(state));
  return { label: { step: 'adopt: capture', object }, next: withBooks(state, 0, next) };
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

function endHold(state: State, books: Books): Transition<State> {
  return { label: { step: 'the hold ends' }, next: withBooks(state, 0, { ...books, isHeld: false }) };
}
