import { describe, expect, it } from 'vitest';
import { ARCHITECTURE_CASES } from './architecture.test-cases.ts';
import { DOCUMENT_CASES } from './documents.test-cases.ts';
import { LANGUAGE_CASES } from './language.test-cases.ts';
import { parseProject } from './project.ts';
import { RULES } from './rules.ts';
import { SERVER_CASES } from './server.test-cases.ts';
import { forbiddenWords } from './words.ts';

const CASES = [...ARCHITECTURE_CASES, ...SERVER_CASES, ...LANGUAGE_CASES, ...DOCUMENT_CASES];

function projectOf(files: Record<string, string>) {
  return parseProject(Object.entries(files).map(([path, text]) => ({ path, text })));
}

describe('each rule', () => {
  it.each(CASES)('$rule: $title', ({ rule, files, findings }) => {
    const found = RULES.find(({ name }) => name === rule)?.find(projectOf(files));
    expect(found?.map(({ path, line }) => `${path}:${line}`).sort()).toEqual([...findings].sort());
  });

  it.each(RULES.filter(({ name }) => name !== 'words'))('$name has an example on either side', ({ name }) => {
    const cases = CASES.filter(({ rule }) => rule === name);
    expect(cases.some(({ findings }) => findings.length > 0)).toBe(true);
    expect(cases.some(({ findings }) => findings.length === 0)).toBe(true);
  });

  it('has a name of its own and a reason', () => {
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
    expect(RULES.filter(({ reason }) => reason === '' || reason.includes('\n'))).toEqual([]);
  });
});

describe('forbidden words', () => {
  const find = forbiddenWords([{ word: 'sesame', reason: 'it opens doors' }]);

  it('are found in texts and file names, whatever their case', () => {
    const found = find(
      projectOf({ 'docs/sesame.md': '# Guide\n\nOpen SESAME\n', 'tools/one.ts': "const word = 'sesame';\n" }),
    );
    expect(found.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'docs/sesame.md:1',
      'docs/sesame.md:3',
      'tools/one.ts:1',
    ]);
    expect(found[0]?.message).toBe('says "sesame": it opens doors');
  });

  it('may stand in their own table', () => {
    expect(find(projectOf({ 'tools/check/words.ts': "const word = 'sesame';\n", 'tools/one.ts': '' }))).toEqual([]);
  });
});
