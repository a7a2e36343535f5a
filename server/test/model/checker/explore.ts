import { findStuck } from './liveness.ts';
import type { Label, Model, Result } from './model.ts';

/** More states than this are a mistake in the model's bounds. */
const MOST_STATES = 8_000_000;

/** The states that were reached: each has the number in whose order it was found. */
type Reached = { numbers: Map<string, number>; parents: number[] };

/** A model with the properties that are checked. */
type Checked<State> = {
  model: Model<State>;
  invariants: [string, (state: State) => boolean][];
  steps: [string, (before: State, after: State) => boolean][];
};

/**
 * Goes through all states breadth first, so the trace to the first failure is a shortest one.
 * @throws Error for a property that the model does not have
 */
export function explore<State>(model: Model<State>, properties: readonly string[]): Result {
  const checked = select(model, properties);
  const { liveness } = model;
  const isLivenessChecked = liveness !== undefined && properties.includes(liveness.name);
  const edges: number[][] | null = isLivenessChecked ? [[]] : null;
  const calm: number[] = [];
  const good: number[] = [];
  const note = (number: number, state: State) => {
    if (!isLivenessChecked) return;
    if (!liveness.isCalm(state)) return;
    calm.push(number);
    if (liveness.isGood(state)) good.push(number);
  };
  const reached: Reached = { numbers: new Map([[model.keyOf(model.initial), 0]]), parents: [-1] };
  note(0, model.initial);
  let frontier = [{ number: 0, state: model.initial }];
  let depth = 0;
  const failed = failureOf(checked, null, model.initial);
  if (failed !== null) return { states: 1, depth, failure: { property: failed, trace: [] } };
  while (frontier.length > 0) {
    const following: typeof frontier = [];
    for (const { number, state } of frontier) {
      for (const { label, next } of model.transitionsOf(state)) {
        const key = model.keyOf(next);
        const known = reached.numbers.get(key);
        const property = failureOf(checked, state, next, known === undefined);
        if (property !== null) {
          const trace = [...traceTo(model, reached, number), label];
          return { states: reached.parents.length, depth: depth + 1, failure: { property, trace } };
        }
        const target = known ?? reached.parents.length;
        edges?.[number]?.push(target);
        if (known !== undefined) continue;
        reached.numbers.set(key, target);
        reached.parents.push(number);
        edges?.push([]);
        note(target, next);
        following.push({ number: target, state: next });
      }
    }
    if (reached.parents.length > MOST_STATES) throw new Error('There are too many states.');
    frontier = following;
    if (frontier.length > 0) depth += 1;
  }
  const stuck = edges === null ? null : findStuck(edges, calm, good);
  const failure = stuck === null ? null : { property: liveness?.name ?? '', trace: traceTo(model, reached, stuck) };
  return { states: reached.parents.length, depth, failure };
}

function select<State>(model: Model<State>, properties: readonly string[]): Checked<State> {
  const invariants = Object.entries(model.invariants).filter(([name]) => properties.includes(name));
  const steps = Object.entries(model.steps ?? {}).filter(([name]) => properties.includes(name));
  const known = [...Object.keys(model.invariants), ...Object.keys(model.steps ?? {}), model.liveness?.name];
  const unknown = properties.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`The model has no property ${unknown}.`);
  return { model, invariants, steps };
}

/** The first property that does not hold, or null. Invariants are looked at once for each state. */
function failureOf<State>(
  { invariants, steps }: Checked<State>,
  before: State | null,
  after: State,
  isNew = true,
): string | null {
  if (before !== null) {
    for (const [name, holds] of steps) if (!holds(before, after)) return name;
  }
  if (!isNew) return null;
  for (const [name, holds] of invariants) if (!holds(after)) return name;
  return null;
}

/** The way by which a state was found: states are not kept, so its steps are taken again. */
function traceTo<State>(model: Model<State>, { numbers, parents }: Reached, number: number): Label[] {
  const path: number[] = [];
  for (let at = number; at > 0; at = parents[at] ?? 0) path.push(at);
  const trace: Label[] = [];
  let state = model.initial;
  for (const target of path.reverse()) {
    const taken = model.transitionsOf(state).find(({ next }) => numbers.get(model.keyOf(next)) === target);
    if (taken === undefined) throw new Error('Two states of the model have one key, and are not the same.');
    trace.push(taken.label);
    state = taken.next;
  }
  return trace;
}
