import { describe, expect, it } from 'vitest';
import { check, type Exception, formatFinding } from './engine.ts';
import type { Rule } from './project.ts';
import { RULES } from './rules.ts';

const everyName: Rule = {
  name: 'names',
  reason: 'an example',
  find: ({ code }) =>
    code.flatMap(({ path }) =>
      ['one', 'two'].map((subject) => ({ path, line: 1, message: `says ${subject}`, subject })),
    ),
};
const FILES = [
  { path: 'tools/b.ts', text: '' },
  { path: 'tools/a.ts', text: '' },
];

function subjectsWith(...exceptions: Omit<Exception, 'reason'>[]): string[] {
  const findings = check(
    FILES,
    [everyName],
    exceptions.map((exception) => ({ ...exception, reason: 'an example' })),
  );
  return findings.map(({ path, rule, subject }) => `${path} ${subject ?? rule}`);
}

describe('check', () => {
  it('sorts the findings of all rules by their place', () => {
    expect(subjectsWith()).toEqual(['tools/a.ts one', 'tools/a.ts two', 'tools/b.ts one', 'tools/b.ts two']);
  });

  it('leaves out what an exception names: a file, a folder, or one name', () => {
    expect(subjectsWith({ rule: 'names', path: 'tools/a.ts' })).toEqual(['tools/b.ts one', 'tools/b.ts two']);
    expect(subjectsWith({ rule: 'names', path: 'tools' })).toEqual([]);
    expect(subjectsWith({ rule: 'names', path: 'tools/', subject: 'one' })).toEqual([
      'tools/a.ts two',
      'tools/b.ts two',
    ]);
  });

  it('reports an exception that matches nothing', () => {
    const unused = [
      { rule: 'other', path: 'tools/a.ts' },
      { rule: 'names', path: 'tools/a' },
      { rule: 'names', path: 'tools/a.ts', subject: 'three' },
    ];
    for (const exception of unused) expect(subjectsWith(exception)).toContain('tools/check/exceptions.ts exceptions');
  });

  it('says where, what and why in one line', () => {
    const [finding] = check([{ path: 'tools/a.ts', text: '\nclass Card {}\n' }], RULES, []).filter(
      ({ rule }) => rule === 'classes',
    );
    expect(finding && formatFinding(finding)).toBe(
      'tools/a.ts:2 classes class Card; use functions (functions and plain values; only errors are classes)',
    );
  });
});
