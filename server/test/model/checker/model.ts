/*
 * A model is a small program in which everything that can happen next is listed for each state. The checker goes through every state
 * that can be reached, so what holds in the model holds in every order of its steps, within the bounds of its configuration.
 */

/** What happens in a step, for a trace: the name of the step, and what it is about. */
export type Label = { step: string } & Record<
  string,
  string | number | boolean | readonly (readonly [number, string])[]
>;

export type Transition<State> = { label: Label; next: State };

export type Model<State> = {
  initial: State;
  /** Everything that can happen next. */
  transitionsOf: (state: State) => Transition<State>[];
  /** The same text for the same state, and for states that differ only in names, such as those of two equal processes. */
  keyOf: (state: State) => string;
  /** What must hold in each state. */
  invariants: Record<string, (state: State) => boolean>;
  /** What must hold of each step. */
  steps?: Record<string, (before: State, after: State) => boolean>;
  /** Once nothing breaks any more, a good state can be reached from every state. */
  liveness?: { name: string; isCalm: (state: State) => boolean; isGood: (state: State) => boolean };
};

/** A model with its rules and bounds, and what the checker has to find. */
export type Configuration = {
  name: string;
  /** What it shows, in a few words. */
  about: string;
  /** The names of the properties that are checked. */
  properties: readonly string[];
  /** The property that fails, in a configuration that leaves a rule out; null where all of them hold. */
  fails: string | null;
  /** Takes more than a second or two, so `npm test` leaves it out. */
  isLong?: boolean;
  check: () => Result;
};

export type Result = {
  /** Distinct states; where a property fails, those up to then. */
  states: number;
  /** The longest of the shortest ways to a state, in steps. */
  depth: number;
  failure: { property: string; trace: Label[] } | null;
};

/** Makes a configuration of a model; only the named properties are checked. */
export function configure<State>(
  { name, about, fails = null, isLong = false }: Pick<Configuration, 'name' | 'about'> & Partial<Configuration>,
  properties: readonly string[],
  model: () => Model<State>,
  explore: (model: Model<State>, properties: readonly string[]) => Result,
): Configuration {
  return { name, about, fails, isLong, properties, check: () => explore(model(), properties) };
}
