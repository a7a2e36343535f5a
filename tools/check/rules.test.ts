import { describe, expect, it } from 'vitest';
import { ARCHITECTURE_CASES } from './architecture.test-cases.ts';
import { DOCUMENT_CASES } from './documents.test-cases.ts';
import { LANGUAGE_CASES } from './language.test-cases.ts';
import { parseProject } from './project.ts';
import { check, RULES } from './rules.ts';
import { SERVER_CASES } from './server.test-cases.ts';

const CASES = [...ARCHITECTURE_CASES, ...SERVER_CASES, ...LANGUAGE_CASES, ...DOCUMENT_CASES];

function filesOf(texts: Record<string, string>) {
  return Object.entries(texts).map(([path, text]) => ({ path, text }));
}

describe('each rule', () => {
  it.each(CASES)('$rule: $title', ({ rule, files, findings }) => {
    const found = RULES[rule]?.(parseProject(filesOf(files)));
    expect(found?.map(({ path, line }) => `${path}:${line}`).sort()).toEqual([...findings].sort());
  });

  it.each(Object.keys(RULES))('%s has an example on either side', (name) => {
    const cases = CASES.filter(({ rule }) => rule === name);
    expect(cases.some(({ findings }) => findings.length > 0)).toBe(true);
    expect(cases.some(({ findings }) => findings.length === 0)).toBe(true);
  });
});

describe('check', () => {
  it('says where, which rule and what to do, in the order of the paths and lines', () => {
    const findings = check(
      filesOf({
        'tools/b.ts': `${'/'.repeat(150)}\nclass Card {}\n`,
        'tools/a.ts': 'const one = 1;\n\n// to tidy\n',
      }),
    );
    expect(findings).toEqual([
      'tools/a.ts:3 words: "tidy" is a word to avoid: take the one that docs/glossary.md gives',
      'tools/b.ts:1 line-length: a line of more than 140 characters: wrap it',
      'tools/b.ts:2 classes: a class that is no error: write functions',
    ]);
  });
});
