import { describe, expect, it } from 'vitest';
import { explore } from './checker/explore.ts';
import type { Model } from './checker/model.ts';
import { describeTrace, run } from './checker/report.ts';
import { CONFIGURATIONS } from './configurations.ts';

/* `npm run model` checks all configurations; these are the ones that take no more than two seconds. */
const QUICK = CONFIGURATIONS.filter(({ isLong }) => !isLong);

describe('with all rules', () => {
  it.each(QUICK.filter(({ fails }) => fails === null))('$name holds: $about', (configuration) => {
    expect(run(configuration).result.failure).toBeNull();
  });
});

describe('with a rule left out', () => {
  it.each(QUICK.filter(({ fails }) => fails !== null))('$name fails: $about', (configuration) => {
    expect(run(configuration).result.failure?.property).toBe(configuration.fails);
  });
});

/** Counts up to three, or down to a dead end. */
function counter(): Model<number> {
  return {
    initial: 0,
    transitionsOf: (count) =>
      [count + 1, -1 - Math.abs(count)]
        .filter((next) => next <= 3 && next >= -2 && count >= 0)
        .map((next) => ({ label: { step: 'count', to: next }, next })),
    keyOf: String,
    invariants: { small: (count) => count < 3, any: () => true },
    steps: { forward: (before, after) => after > before },
    liveness: { name: 'reaches three', isCalm: () => true, isGood: (count) => count === 3 },
  };
}

describe('the checker', () => {
  it('finds a shortest way to what fails', () => {
    const { failure } = explore(counter(), ['small']);
    expect(describeTrace(failure?.trace ?? [])).toEqual([
      '   1. count: to 1',
      '   2. count: to 2',
      '   3. count: to 3',
    ]);
  });

  it('goes through every state', () => {
    expect(explore(counter(), ['any'])).toMatchObject({ states: 6, depth: 3, failure: null });
  });

  it('looks at steps', () => {
    expect(explore(counter(), ['forward']).failure).toMatchObject({ property: 'forward', trace: [{ to: -1 }] });
  });

  it('finds a state from which no good one is reached', () => {
    expect(explore(counter(), ['reaches three']).failure).toMatchObject({ trace: [{ to: -1 }] });
  });

  it('knows its properties', () => {
    expect(() => explore(counter(), ['large'])).toThrow('no property large');
  });
});
