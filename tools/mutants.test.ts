import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyPatch } from './mutants/copy.ts';
import { MUTANTS } from './mutants/variants.ts';

const ROOT = join(import.meta.dirname, '..');

describe('the mutants', () => {
  it.each(MUTANTS)('$name still fits the code that it breaks', ({ patches }) => {
    const contents = new Map(patches.map(({ file }) => [file, readFileSync(join(ROOT, file), 'utf8')]));
    for (const patch of patches) {
      const before = contents.get(patch.file) ?? '';
      const after = applyPatch(patch, before);
      expect(after).not.toBe(before);
      contents.set(patch.file, after);
    }
  });

  it('refuse to be applied where the text is gone, or stands twice', () => {
    const patch = { file: 'charge.ts', text: 'guard();', replacement: '' };
    expect(applyPatch(patch, 'a(); guard(); b();')).toBe('a();  b();');
    expect(() => applyPatch(patch, 'a(); b();')).toThrow(/charge\.ts holds 0 times/);
    expect(() => applyPatch(patch, 'guard(); guard();')).toThrow(/charge\.ts holds 2 times/);
  });
});
