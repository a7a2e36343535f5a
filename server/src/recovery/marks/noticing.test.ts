/** How a process goes from what it knows of its database to what it knows next. */
import { describe, expect, it } from 'vitest';
import { type Finding, findingOf, HOLDS_ITSELF, type State, TRANSITIONS } from './noticing.ts';

const FINDINGS: readonly Finding[] = [
  ...(['nothing missing', 'something missing', 'journal lost', 'journal absent', 'held', 'mark lacking'] as const),
];

/** The states in the order of the findings. */
const TABLE: Readonly<Record<State, string>> = {
  starting: 'sound suspecting suspecting waiting held suspecting',
  sound: 'sound suspecting suspecting suspecting held suspecting',
  waiting: 'sound suspecting suspecting waiting held suspecting',
  doubting: 'sound suspecting suspecting suspecting doubting doubting',
  suspecting: 'suspecting suspecting suspecting suspecting held suspecting',
  held: 'sound suspecting suspecting suspecting held doubting',
};
const STATES = Object.keys(TABLE) as State[];
const next = (state: State, finding: Finding) => TRANSITIONS[state][finding];

describe('the next state', () => {
  it.each(STATES)('after %s', (state) => {
    expect(FINDINGS.map((finding) => next(state, finding)).join(' ')).toBe(TABLE[state]);
  });

  it('lets a process that suspects a loss charge again only once the database holds charges', () => {
    const after = FINDINGS.filter((finding) => next('suspecting', finding) !== 'suspecting');
    expect(after).toEqual(['held']);
    expect(STATES.filter((state) => HOLDS_ITSELF.has(state))).toEqual(['waiting', 'doubting', 'suspecting']);
  });

  it('is never sound when something is missing or lost, or when a mark is lacking', () => {
    for (const finding of ['something missing', 'journal lost', 'mark lacking'] as const)
      expect(STATES.map((state) => HOLDS_ITSELF.has(next(state, finding)))).toEqual(STATES.map(() => true));
  });
});

describe('the finding of a comparison of the journals', () => {
  const none = { isHeld: false, isMissing: false, loss: null, isPatient: true };
  const [here, elsewhere] = [{ mayCome: false }, { mayCome: true }];
  it.each([
    ['nothing missing', none],
    ['something missing', { ...none, isMissing: true }],
    ['something missing', { ...none, isMissing: true, loss: elsewhere }],
    ['journal lost', { ...none, loss: here }],
    ['journal absent', { ...none, loss: elsewhere }],
    ['journal lost', { ...none, loss: elsewhere, isPatient: false }],
    ['held', { ...none, isHeld: true, isMissing: true, loss: here }],
  ])('is %s of %j', (finding, seen) => {
    expect(findingOf(seen)).toBe(finding);
  });
});
