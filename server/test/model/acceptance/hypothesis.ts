import { isRunning } from '../charge/books.ts';
import { IDLE, type Process, type State, withProcess } from '../charge/state.ts';
import type { Operation } from './operations.ts';

/** An operation that has begun: which of the model's processes does it, and whether it has taken effect. */
export type Pending = { operation: Operation; by: number; isDone: boolean };

/** A state of the model that fits what was written down so far, and the names of what is in it. */
export type Hypothesis = {
  state: State;
  /** Which real process each of the model's processes belongs to; null once nothing more is heard of it. */
  owners: readonly (number | null)[];
  payments: ReadonlyMap<string, number>;
  objects: ReadonlyMap<string, number>;
  pending: readonly Pending[];
  /**
   * Each payment of a database with each state in which it ever ran, and the object that it had recorded then: a process may have read them
   * before the database went back.
   */
  rows: ReadonlySet<string>;
};

/** The same text for the same hypothesis. */
export function textOf({ state, owners, payments, objects, pending, rows }: Hypothesis): string {
  const waiting = pending.map(({ operation, by, isDone }) => [operation.process, operation.operation, by, isDone]);
  return JSON.stringify([state, owners, [...payments], [...objects], waiting, [...rows]]);
}

/** The same hypothesis with a process that somebody begins to use, at the first free place. */
export function withNewProcess(
  one: Hypothesis,
  owner: number,
  process: Process,
): { hypothesis: Hypothesis; by: number } {
  const used = new Set(one.pending.map(({ by }) => by));
  const free = one.state.processes.findIndex(({ at }, index) => at === 'idle' && !used.has(index));
  const by = free === -1 ? one.state.processes.length : free;
  const processes = [...one.state.processes];
  const owners = [...one.owners];
  processes[by] = process;
  owners[by] = owner;
  return { hypothesis: { ...one, state: { ...one.state, processes }, owners }, by };
}

/** The same hypothesis without a process: nothing more is heard of it. */
export function withoutProcess(one: Hypothesis, by: number): Hypothesis {
  return {
    ...one,
    state: withProcess(one.state, by, IDLE),
    owners: one.owners.map((owner, index) => (index === by ? null : owner)),
  };
}

/** The same hypothesis once an operation is over. */
export function withoutPending(one: Hypothesis, operation: Operation): Hypothesis {
  return { ...one, pending: one.pending.filter((pending) => pending.operation !== operation) };
}

/** What a reconciler may have read by now. */
export function withRows(one: Hypothesis): Hypothesis {
  const rows = new Set(one.rows);
  for (const [database, books] of one.state.books.entries())
    for (const payment of books?.payments ?? [])
      if (isRunning(payment)) rows.add(`${database} ${payment.id} ${payment.object} ${payment.state}`);
  return rows.size === one.rows.size ? one : { ...one, rows };
}

/** The same hypothesis with a name for an object; null when the name or the object has another one. */
export function withObjectName(one: Hypothesis, name: string, object: number): Hypothesis | null {
  const known = one.objects.get(name);
  if (known !== undefined) return known === object ? one : null;
  if ([...one.objects.values()].includes(object)) return null;
  return { ...one, objects: new Map([...one.objects, [name, object]]) };
}
