/*
 * The steps of charges as processes wrote them down (server/src/platform/steps.ts): one line when a step begins, before its request or its
 * transaction leaves, and one when it ends, after its answer. In between the step took effect at some moment, or not at all.
 */

/** Steps that no process of a charge takes. */
export function isOfWorld({ step }: Operation): boolean {
  return WORLD.includes(step) || step.startsWith('adopt: ');
}

/** A line, as written by a process, or by the test that takes backups. */
export type Line = {
  process: number;
  /** Whose database it works on: 1 is the copy that is served beside the first one. */
  database?: 0 | 1;
  operation: string;
  step?: string;
  debt?: string;
  payment?: string;
  object?: string | undefined;
  sequence?: number;
  key?: string;
  /** What the gateway answered, or whether the transaction changed something. */
  outcome?: string | boolean;
  found?: readonly FoundObject[];
  /** The kind of a gateway's error, or `error`. */
  error?: string;
};

export type FoundObject = { id: string; status: string; sequence: number | null };

/** A step with what is known of its answer; null when it never came. */
export type Operation = Omit<Line, 'outcome' | 'found' | 'error'> & {
  database: 0 | 1;
  step: string;
  answer: Pick<Line, 'outcome' | 'found' | 'error' | 'object'> | null;
};

export type Moment = { kind: 'begins' | 'ends'; operation: Operation };

/** Steps of the world around all debts. */
const WORLD = ['backup', 'restore', 'copy', 'hold begins', 'hold ends'];

/** Puts the lines of a run together: the moments of each debt, with those of the world in their places. */
export function momentsByDebt(lines: readonly Line[]): Map<string, Moment[]> {
  const operations = pair(lines);
  const debts = findDebts(lines, operations);
  const moments = new Map<string, Moment[]>([...new Set(debts.values())].map((debt) => [debt, []]));
  for (const line of lines) {
    const operation = operations.get(nameOf(line));
    if (operation === undefined) continue;
    const moment: Moment = { kind: line.step === undefined ? 'ends' : 'begins', operation };
    const debt = debts.get(nameOf(line));
    const targets = WORLD.includes(operation.step) ? [...moments.values()] : [moments.get(debt ?? '')];
    for (const target of targets) target?.push(moment);
  }
  return moments;
}

function nameOf({ process, operation }: Line): string {
  return `${process} ${operation}`;
}

/** Each operation with its answer, by its name. */
function pair(lines: readonly Line[]): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const line of lines) {
    const { step, database = 0 } = line;
    if (step !== undefined) operations.set(nameOf(line), { ...line, step, database, answer: null });
  }
  for (const { step, outcome, found, error, object, ...line } of lines) {
    const operation = operations.get(nameOf(line));
    if (step !== undefined || operation === undefined) continue;
    operation.answer = {
      ...(outcome === undefined ? {} : { outcome }),
      ...(found === undefined ? {} : { found }),
      ...(error === undefined ? {} : { error }),
      ...(object === undefined ? {} : { object }),
    };
  }
  return operations;
}

/** Which debt each operation is about: it says so, or its payment or object does elsewhere. */
function findDebts(lines: readonly Line[], operations: Map<string, Operation>): Map<string, string> {
  const ofThings = new Map<string, string>();
  for (const { debt, payment, object, answer } of operations.values()) {
    if (debt === undefined) continue;
    for (const thing of [payment, object, answer?.object, ...(answer?.found ?? []).map(({ id }) => id)])
      if (thing !== undefined) ofThings.set(thing, debt);
  }
  const debts = new Map<string, string>();
  for (const line of lines) {
    const { debt, payment, object } = operations.get(nameOf(line)) ?? line;
    const found = debt ?? ofThings.get(payment ?? '') ?? ofThings.get(object ?? '');
    if (found !== undefined) debts.set(nameOf(line), found);
  }
  return debts;
}

/** A moment in words. */
export function describeMoment({ kind, operation }: Moment): string {
  const { process, database, step, payment, object, sequence, answer } = operation;
  const about = Object.entries({ payment, object, sequence, ...(kind === 'ends' ? answer : {}) })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  return `process ${process}${database === 1 ? ' of the copy' : ''}: ${step} ${kind}${about.length === 0 ? '' : ` (${about.join(', ')})`}`;
}
