import { create, type Font, type GlyphRun } from 'fontkit';
import { cjkFontsOf, hasCjk, openCjkFont, readPackaged } from './cjk.ts';

export type Weight = 'regular' | 'bold';

/** In order of preference: Noto Sans for most scripts, DejaVu Sans for those that it lacks. */
const FILES: Record<Weight, readonly string[]> = {
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
const MAX_OPENED_FONTS = 40;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const opened = new Map<string, Font>();

/** Whether a text has letters of a script that is written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** Opens the font with a name from `splitByFont`. It stays cached until many others are needed. */
export function openFont(name: string): Font {
  const known = opened.get(name);
  const font = known ?? rememberWords(name.includes('#') ? openCjkFont(name) : openWholeFont(name));
  opened.delete(name);
  opened.set(name, font);
  const [oldest] = opened.keys();
  if (opened.size > MAX_OPENED_FONTS && oldest !== undefined) opened.delete(oldest);
  return font;
}

function openWholeFont(name: string): Font {
  const font = create(readPackaged(name));
  if (!('layout' in font)) throw new Error(`${name} holds more than one font.`);
  return font;
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
  const [primary = '', ...others] = FILES[weight];
  if (BASIC_LATIN.test(text)) return [{ text, font: primary }];
  const stretches: { text: string; font: string }[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const last = stretches.at(-1);
    const cjk = hasCjk(segment) ? cjkFontsOf(segment, weight) : [];
    const candidates = [
      primary,
      ...cjk,
      ...(last === undefined || last.font === primary ? [] : [last.font]),
      ...others,
    ];
    // A space or a hyphen stays with the word before it.
    const isNeutral = last !== undefined && /^[\s\p{P}]$/u.test(segment) && hasGlyphs(last.font, segment);
    const font = isNeutral ? last.font : (candidates.find((name) => hasGlyphs(name, segment)) ?? primary);
    if (last?.font === font) last.text += segment;
    else stretches.push({ text: segment, font });
  }
  return stretches;
}

function hasGlyphs(name: string, text: string): boolean {
  const font = openFont(name);
  return [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
}
