import type { Model, Transition } from './checker/model.ts';

/*
 * Whether it is noticed that the database went back. Each intent to charge writes a random mark with its transaction; each machine writes
 * the mark to its journal before anything leaves, and the gateway's object carries it too. The database is held when it lacks one of them.
 * Money may move once T2 has committed. Not in it: which debt a mark belongs to (charge).
 */

export type MarkRules = {
  /** Random marks are compared; else only how many there are. */
  marksAreRandom: boolean;
  /** A mark is in the journal before anything leaves; else afterwards. */
  journalComesFirst: boolean;
  /** Marks are compared with each new connection to the database; else when a process starts. */
  checksConnections: boolean;
  /** Which of the gateway's objects are compared, too: all that are recent, the newest one, or none. */
  comparesObjects: 'recent' | 'newest' | 'none';
  /** A database with invoices whose journal is gone is held. */
  lostJournalHolds: boolean;
  /** T1 reads the hold. */
  holdStopsIntents: boolean;
  /** T2 reads the hold. */
  holdStopsConfirmations: boolean;
  /** The end of a hold writes every mark that was missing, so that it is not missed again. */
  endWritesMarks: boolean;
};

export const ALL_MARK_RULES: MarkRules = {
  marksAreRandom: true,
  journalComesFirst: true,
  checksConnections: true,
  comparesObjects: 'recent',
  lostJournalHolds: true,
  holdStopsIntents: true,
  holdStopsConfirmations: true,
  endWritesMarks: true,
};

export type MarkBounds = {
  machines: number;
  marks: number;
  goesBack: number;
  /** Journals may be lost. */
  losesJournals: boolean;
  /** The old primary lives on with the last machine. */
  splits: boolean;
};

type Place = 'idle' | 'journal' | 'create' | 'T2';
type Machine = {
  at: Place;
  mark: number;
  /** The last mark of its journal, and how many marks the database had with it; null when it never had one. */
  journal: { mark: number; count: number } | null;
  isJournalLost: boolean;
  /** It has not compared the marks since it connected. */
  isUnchecked: boolean;
};
type Database = { marks: readonly number[]; isHeld: boolean };
type State = {
  databases: readonly [Database, Database | null];
  machines: readonly Machine[];
  /** The marks of the gateway's objects, in the order of their creation. */
  objects: readonly number[];
  /** The marks whose money may have moved. */
  armed: readonly number[];
  nextMark: number;
  wentBack: number;
  /** A charge began while the mark of one that may have moved money was missing. */
  hasBegunBlind: boolean;
};

export const MARK_PROPERTIES = ['R5 no charge begins while a mark is missing', 'R5 nothing is confirmed under a hold'];
export const HOLDS_END = 'R6 every hold ends';

/** The model with these rules and bounds. */
export function marksModel(rules: MarkRules, bounds: MarkBounds): Model<State> {
  const machine: Machine = { at: 'idle', mark: 0, journal: null, isJournalLost: false, isUnchecked: true };
  return {
    initial: {
      databases: [{ marks: [], isHeld: false }, null],
      machines: Array.from({ length: bounds.machines }, () => machine),
      ...{ objects: [], armed: [], nextMark: 1, wentBack: 0, hasBegunBlind: false },
    },
    transitionsOf: (state) => transitionsOf(state, rules, bounds),
    keyOf: JSON.stringify,
    invariants: { [MARK_PROPERTIES[0] ?? '']: ({ hasBegunBlind }) => !hasBegunBlind },
    steps: {
      [MARK_PROPERTIES[1] ?? '']: (before, after) =>
        after.armed.length === before.armed.length || !(before.databases[0].isHeld && before.databases[1] === null),
    },
    liveness: {
      name: HOLDS_END,
      isCalm: () => true,
      isGood: (state) =>
        !state.databases[0].isHeld &&
        state.machines.every((_, index) => databaseOf(state, index) === 1 || fits(state, rules, index)),
    },
  };
}

/** After a split the last machine works on the old database. */
function databaseOf({ databases, machines }: State, index: number): 0 | 1 {
  return databases[1] !== null && index === machines.length - 1 ? 1 : 0;
}

function database(state: State, index: number): Database {
  return state.databases[databaseOf(state, index)] ?? state.databases[0];
}

/** Whether the machine's database has the last mark of its journal, and those of the gateway's objects. */
function fits(state: State, rules: MarkRules, index: number): boolean {
  const { marks } = database(state, index);
  const { journal, isJournalLost } = state.machines[index] ?? { journal: null, isJournalLost: false };
  if (isJournalLost && rules.lostJournalHolds && marks.length > 0) return false;
  if (journal !== null && !(rules.marksAreRandom ? marks.includes(journal.mark) : marks.length >= journal.count))
    return false;
  if (rules.comparesObjects === 'recent') return state.objects.every((mark) => marks.includes(mark));
  const newest = state.objects.at(-1);
  return rules.comparesObjects === 'none' || newest === undefined || marks.includes(newest);
}

function transitionsOf(state: State, rules: MarkRules, bounds: MarkBounds): Transition<State>[] {
  return [
    ...state.machines.flatMap((machine, index) => machineTransitions(state, rules, bounds, machine, index)),
    ...goBack(state, rules, bounds),
    ...endHold(state, rules),
  ];
}

function machineTransitions(
  state: State,
  rules: MarkRules,
  bounds: MarkBounds,
  machine: Machine,
  index: number,
): Transition<State>[] {
  const by = { by: index + 1 };
  const { at, mark } = machine;
  const steps: Transition<State>[] = [];
  if (at === 'idle') steps.push(...begin(state, rules, bounds, machine, index));
  else
    steps.push({
      label: { ...by, step: 'crash' },
      next: withMachine(state, index, { ...machine, at: 'idle', mark: 0, isUnchecked: true }),
    });
  if (at === 'journal') {
    const { marks } = database(state, index);
    const journal = { mark, count: marks.length };
    const next = withMachine(state, index, { ...machine, journal, at: rules.journalComesFirst ? 'create' : 'idle' });
    steps.push({ label: { ...by, step: 'the journal is written', mark }, next });
  }
  if (at === 'create') {
    const next = withMachine({ ...state, objects: [...state.objects, mark] }, index, { ...machine, at: 'T2' });
    steps.push({ label: { ...by, step: 'create', mark }, next });
  }
  if (at === 'T2') steps.push(recordObject(state, rules, machine, index));
  if (bounds.losesJournals && machine.journal !== null && !machine.isJournalLost) {
    const next = withMachine(state, index, { ...machine, journal: null, isJournalLost: true });
    steps.push({ label: { ...by, step: 'the journal is lost' }, next });
  }
  return steps;
}

/** T1, after the marks were compared if the connection is new. */
function begin(
  state: State,
  rules: MarkRules,
  { marks: most }: MarkBounds,
  machine: Machine,
  index: number,
): Transition<State>[] {
  const own = database(state, index);
  const steps: Transition<State>[] = [];
  if (!fits(state, rules, index) && !own.isHeld)
    steps.push({ label: { by: index + 1, step: 'hold' }, next: withDatabase(state, index, { ...own, isHeld: true }) });
  const mustCompare = machine.isUnchecked && !fits(state, rules, index);
  if ((own.isHeld && rules.holdStopsIntents) || (mustCompare && !own.isHeld) || state.nextMark > most) return steps;
  const mark = state.nextMark;
  const isMissing = databaseOf(state, index) === 0 && state.armed.some((one) => !own.marks.includes(one));
  const committed = withDatabase(
    { ...state, nextMark: mark + 1, hasBegunBlind: state.hasBegunBlind || isMissing },
    index,
    { ...own, marks: [...own.marks, mark] },
  );
  const at = rules.journalComesFirst ? ('journal' as const) : ('create' as const);
  const next = withMachine(committed, index, { ...machine, at, mark, isUnchecked: false });
  return [...steps, { label: { by: index + 1, step: 'T1', mark }, next }];
}

/** T2 on a database that has the intent and no hold: from now on money may move. */
function recordObject(state: State, rules: MarkRules, machine: Machine, index: number): Transition<State> {
  const { marks, isHeld } = database(state, index);
  const done = marks.includes(machine.mark) && !(isHeld && rules.holdStopsConfirmations);
  const armed = done && !state.armed.includes(machine.mark) ? [...state.armed, machine.mark] : state.armed;
  const at = rules.journalComesFirst ? ('idle' as const) : ('journal' as const);
  const next = withMachine({ ...state, armed }, index, { ...machine, at });
  return { label: { by: index + 1, step: 'T2', mark: machine.mark, done }, next };
}

/** The last transactions are lost: processes live on (failover) or start again (restore), and all of them connect anew. */
function goBack(state: State, rules: MarkRules, { goesBack, splits, losesJournals }: MarkBounds): Transition<State>[] {
  if (state.wentBack >= goesBack) return [];
  const { marks } = state.databases[0];
  const steps: Transition<State>[] = [];
  // Nothing shows that a database without any mark is an old one, if the journal is lost too.
  for (let kept = losesJournals ? 1 : 0; kept < marks.length; kept += 1) {
    const restored: Database = { marks: marks.slice(0, kept), isHeld: false };
    const databases = [restored, splits ? state.databases[0] : null] as const;
    const gone = { ...state, databases, wentBack: state.wentBack + 1 };
    for (const livesOn of [true, false]) {
      const machines = state.machines.map((machine, index) => {
        if (splits && index === state.machines.length - 1) return machine;
        if (livesOn) return { ...machine, isUnchecked: machine.isUnchecked || rules.checksConnections };
        return { ...machine, at: 'idle' as const, mark: 0, isUnchecked: true };
      });
      const step = `the database goes back (${livesOn ? 'failover' : 'restore'})`;
      steps.push({ label: { step, keeps: kept }, next: { ...gone, machines } });
    }
  }
  return steps;
}

/** Everything that was missing is adopted, or was a false alarm: the hold ends. */
function endHold(state: State, { endWritesMarks }: MarkRules): Transition<State>[] {
  const [current, old] = state.databases;
  if (!current.isHeld) return [];
  const known = new Set([...current.marks, ...state.objects]);
  for (const { journal } of state.machines) if (journal !== null) known.add(journal.mark);
  const marks = endWritesMarks ? [...known].sort((one, other) => one - other) : current.marks;
  const newest = marks.at(-1);
  // A new journal begins with what the database has.
  const begun = newest === undefined ? null : { mark: newest, count: marks.length };
  const machines = state.machines.map((machine) =>
    machine.isJournalLost ? { ...machine, isJournalLost: false, journal: begun } : machine,
  );
  return [
    { label: { step: 'the hold ends' }, next: { ...state, machines, databases: [{ marks, isHeld: false }, old] } },
  ];
}

function withMachine(state: State, index: number, machine: Machine): State {
  return { ...state, machines: state.machines.map((one, other) => (other === index ? machine : one)) };
}

function withDatabase(state: State, index: number, changed: Database): State {
  const [current, old] = state.databases;
  return { ...state, databases: databaseOf(state, index) === 0 ? [changed, old] : [current, changed] };
}
