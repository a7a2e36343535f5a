import { create, type Font, type GlyphRun } from 'fontkit';
import { LRUCache } from 'lru-cache';
import { cjkFontsOf, type Family, hasCjk, openCjkFont, readPackaged } from './cjk.ts';

export type Weight = 'regular' | 'bold';

/** The Chinese, Japanese and Korean fonts of a document by name, and the family for letters that several of them have. */
export type CjkFonts = { byName: Map<string, Font>; family: Family };

/** In order of preference: Noto Sans for most scripts, DejaVu Sans for those that it lacks. */
export const FONT_FILES: Record<Weight, readonly [string, string]> = {
  regular: ['@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf', 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf'],
  bold: [
    '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  ],
};

/** Characters that the first font certainly has, so that most texts need no glyph look-up. */
const BASIC_LATIN = /^[\x20-\x7e\u00a0-\u017f]*$/;
/** Hebrew, Arabic and other scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** How many letters of words are cached for each font; a few megabytes. */
const MAX_KNOWN_LETTERS = 50_000;
/** Of Chinese, Japanese and Korean, kept for the next documents; a tenth of a megabyte each. */
const MAX_CJK_FONTS = 100;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const wholeFonts = new Map<string, Font>();
const cjkFonts = new LRUCache<string, Font>({ max: MAX_CJK_FONTS });
let current: CjkFonts = { byName: new Map(), family: 'sc' };

/** Whether a text has letters of a script that is written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * Opens the Chinese, Japanese and Korean fonts that a document needs, one after the other: which ones depends on its letters alone. Any of
 * the letters may be drawn in either weight.
 */
export async function openCjkFonts(letters: readonly string[], family: Family): Promise<CjkFonts> {
  const byName = new Map<string, Font>();
  for (const letter of letters) {
    for (const weight of ['regular', 'bold'] as const) {
      if (hasGlyphs(openWholeFont(FONT_FILES[weight][0]), letter)) continue;
      for (const name of cjkFontsOf(letter, weight, family)) {
        const font = byName.get(name) ?? cjkFonts.get(name) ?? rememberWords(await openCjkFont(name));
        byName.set(name, font);
        cjkFonts.set(name, font);
        if (hasGlyphs(font, letter)) break;
      }
    }
  }
  return { byName, family };
}

/** Sets the Chinese, Japanese and Korean fonts for all drawing until the next call. */
export function useCjkFonts(fonts: CjkFonts): void {
  current = fonts;
}

/** Returns the font with a name from `splitByFont`. */
export function openFont(name: string): Font {
  return current.byName.get(name) ?? openWholeFont(name);
}

function openWholeFont(name: string): Font {
  const known = wholeFonts.get(name);
  if (known !== undefined) return known;
  const font = create(readPackaged(name));
  if (!('layout' in font)) throw new Error(`${name} holds more than one font.`);
  const remembering = rememberWords(font);
  wholeFonts.set(name, remembering);
  return remembering;
}

/**
 * Adds a cache of shaped words to a font, because shaping is most of the work and words repeat: each is measured before
 * it is drawn. Right-to-left texts are shaped as a whole, because their words change order.
 */
function rememberWords(font: Font): Font {
  const words = new Map<string, GlyphRun>();
  let letters = 0;
  const shape = (word: string): GlyphRun => {
    const known = words.get(word);
    if (known !== undefined) return known;
    const run = font.layout(word);
    letters += word.length;
    if (letters > MAX_KNOWN_LETTERS) {
      words.clear();
      letters = word.length;
    }
    words.set(word, run);
    return run;
  };
  const layout = (text: string, features?: string[]) => {
    if (hasRightToLeft(text)) return font.layout(text, features);
    const runs = (text.match(/\S*\s*/g) ?? []).map(shape);
    return {
      glyphs: runs.flatMap(({ glyphs }) => glyphs),
      // Copies, because pdfkit scales them in place.
      positions: runs.flatMap(({ positions }) => positions.map((position) => ({ ...position }))),
      advanceWidth: runs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
    };
  };
  return Object.create(font, { layout: { value: layout } }) as Font;
}

/**
 * Divides a text into runs that one font has the glyphs for, never within a grapheme. Characters that no font has stay
 * with the first one, which draws a box.
 */
export function splitByFont(text: string, weight: Weight): { text: string; font: string }[] {
  const [primary, ...others] = FONT_FILES[weight];
  if (BASIC_LATIN.test(text)) return [{ text, font: primary }];
  const stretches: { text: string; font: string }[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const last = stretches.at(-1);
    const cjk = hasCjk(segment) ? cjkFontsOf(segment, weight, current.family) : [];
    const candidates = [
      primary,
      ...cjk.filter((name) => current.byName.has(name)),
      ...(last === undefined || last.font === primary ? [] : [last.font]),
      ...others,
    ];
    // A space or a hyphen stays with the word before it.
    const isNeutral = last !== undefined && /^[\s\p{P}]$/u.test(segment) && hasGlyphs(openFont(last.font), segment);
    const font = isNeutral ? last.font : (candidates.find((name) => hasGlyphs(openFont(name), segment)) ?? primary);
    if (last?.font === font) last.text += segment;
    else stretches.push({ text: segment, font });
  }
  return stretches;
}

function hasGlyphs(font: Font, text: string): boolean {
  return [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
}
