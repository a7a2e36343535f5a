import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create, type Font } from 'fontkit';
import { describe, expect, it } from 'vitest';
import { unpackWoff2 } from './woff2.ts';

function filesOf(family: string): string[] {
  const folder = dirname(
    fileURLToPath(
      import.meta.resolve(`@fontsource-variable/noto-sans-${family}/files/noto-sans-${family}-100-wght-normal.woff2`),
    ),
  );
  const names = readdirSync(folder).filter((name) => name.endsWith('.woff2'));
  // A sample from the whole list, because all of them take minutes.
  return names.filter((_, index) => index % 25 === 0).map((name) => join(folder, name));
}

const open = (bytes: Buffer) => create(bytes) as Font;

describe('unpackWoff2', () => {
  it.each(['sc', 'tc', 'jp', 'kr'])(
    'gives %s exactly the outlines that fontkit reads from the packed file',
    (family) => {
      for (const file of filesOf(family)) {
        const packed = readFileSync(file);
        const [plain, expected] = [open(unpackWoff2(packed)), open(packed)];
        expect(plain.numGlyphs).toBe(expected.numGlyphs);
        expect(plain.characterSet).toEqual(expected.characterSet);
        for (const codePoint of expected.characterSet) {
          const [glyph, same] = [plain.glyphForCodePoint(codePoint), expected.glyphForCodePoint(codePoint)];
          expect(glyph.advanceWidth).toBe(same.advanceWidth);
          expect(glyph.path.toSVG()).toBe(same.path.toSVG());
        }
      }
    },
    60_000,
  );

  it('rejects other files', () => {
    expect(() => unpackWoff2(Buffer.from('%PDF-1.7 and so on'))).toThrow('no WOFF2 font');
  });
});
