import { create, type Font } from 'fontkit';
import { describe, expect, it } from 'vitest';
import { cjkFontsOf, openCjkFont, readPackaged } from './cjk.ts';

async function open(letter: string, weight: 'regular' | 'bold', family: 'sc' | 'tc' | 'jp' | 'kr') {
  const [name = ''] = cjkFontsOf(letter, weight, family);
  return { name, font: await openCjkFont(name) };
}

describe('a Chinese, Japanese or Korean font', () => {
  it.each([
    ['sc', '\u4e00'],
    ['tc', '\u81fa'],
    ['jp', '\u3042'],
    ['kr', '\ud55c'],
  ] as const)('of %s with %s has the letters of its file, as wide as they are there', async (family, letter) => {
    const { name, font } = await open(letter, 'regular', family);
    const packed = create(readPackaged(name.split('#')[0] ?? '')) as Font;
    expect(font.characterSet).toEqual(packed.characterSet);
    const [glyph, same] = [font, packed].map((one) => one.glyphForCodePoint(letter.codePointAt(0) ?? 0));
    expect(glyph?.advanceWidth).toBe(same?.advanceWidth);
  });

  it('has heavier strokes when it is bold', async () => {
    const heights = ['regular', 'bold'] as const;
    const [regular, bold] = await Promise.all(
      heights.map(async (weight) => {
        const { minY, maxY } = (await open('\u4e00', weight, 'sc')).font.glyphForCodePoint(0x4e00).bbox;
        return maxY - minY;
      }),
    );
    expect(bold).toBeGreaterThan(regular ?? 0);
  });
});
