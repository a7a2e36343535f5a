import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyPatch } from './mutants/copy.ts';
import { MUTANTS } from './mutants/variants.ts';

const ROOT = join(import.meta.dirname, '..');

describe('the mutants', () => {
  // Security (Faults at every step): Wrong variants of the protocol fail the tests (`npm run mutants`), and their patches fit
  it.each(MUTANTS)('$name still applies to the code that it breaks', ({ patches }) => {
    const contents = new Map(patches.map(({ file }) => [file, readFileSync(join(ROOT, file), 'utf8')]));
    for (const patch of patches) {
      const before = contents.get(patch.file) ?? '';
      const after = applyPatch(patch, before);
      expect(after).not.toBe(before);
      contents.set(patch.file, after);
    }
  });

  it('are rejected if the text is missing or occurs twice', () => {
    const patch = { file: 'charge.ts', text: 'guard();', replacement: '' };
    expect(applyPatch(patch, 'a(); guard(); b();')).toBe('a();  b();');
    expect(() => applyPatch(patch, 'a(); b();')).toThrow(/charge\.ts holds 0 times/);
    expect(() => applyPatch(patch, 'guard(); guard();')).toThrow(/charge\.ts holds 2 times/);
  });
});
