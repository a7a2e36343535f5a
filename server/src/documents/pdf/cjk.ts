import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create, type Font } from 'fontkit';
import subsetFont from 'subset-font';
import type { Sheet } from '../sheet/sheet.ts';

/*
 * Chinese, Japanese and Korean: Noto Sans in four families, each divided into about a hundred files with some of its letters. Only the
 * files that a text needs are read.
 */

/** Simplified Chinese, traditional Chinese, Japanese, Korean. */
const FAMILIES = ['sc', 'tc', 'jp', 'kr'] as const;
export type Family = (typeof FAMILIES)[number];

const WEIGHTS = { regular: 400, bold: 600 };

const CJK =
  /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{1f200}-\u{1f2ff}\u{20000}-\u{3ffff}]/u;
const KANA = /[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f]/u;
const HANGUL = /[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]/u;

/** A buyer's country in its usual spellings. */
const COUNTRIES: Record<Family, RegExp> = {
  sc: /^(cn|chn|sg|sgp|china|singapore|prc|中国|新加坡)$/i,
  tc: /^(tw|twn|hk|hkg|mo|mac|taiwan|hong kong|macao|macau|臺灣|台灣|香港|澳門)$/i,
  jp: /^(jp|jpn|japan|日本|日本国)$/i,
  kr: /^(kr|kor|south korea|korea|republic of korea|대한민국|한국)$/i,
};

const filesByFamily = new Map<Family, Map<number, string>>();

/**
 * Chooses the family for letters that Chinese, Japanese and Korean write differently: by the buyer's country, or else
 * by letters that only one of the languages has.
 */
export function chooseFamily({ buyer, seller, lines, remarks }: Sheet): Family {
  const texts = JSON.stringify([buyer, lines, remarks, seller]);
  const known = FAMILIES.find((family) => COUNTRIES[family].test(buyer.country.trim()));
  return known ?? (KANA.test(texts) ? 'jp' : HANGUL.test(texts) ? 'kr' : 'sc');
}

/** Whether a text has a Chinese, Japanese or Korean letter. */
export function hasCjk(text: string): boolean {
  return CJK.test(text);
}

/** Returns the names of the fonts that may have a character, best first. */
export function cjkFontsOf(character: string, weight: keyof typeof WEIGHTS, preferred: Family): string[] {
  const best = HANGUL.test(character) ? 'kr' : KANA.test(character) ? 'jp' : preferred;
  const codePoint = character.codePointAt(0) ?? 0;
  return [best, ...FAMILIES.filter((family) => family !== best)].flatMap((family) => {
    const file = filesOf(family).get(codePoint);
    return file === undefined ? [] : [`${file}#${WEIGHTS[weight]}`];
  });
}

/** Reads which of a family's files has which characters. */
function filesOf(family: Family): Map<number, string> {
  const known = filesByFamily.get(family);
  if (known !== undefined) return known;
  const name = `@fontsource-variable/noto-sans-${family}`;
  const ranges: Record<string, string> = JSON.parse(readPackaged(`${name}/unicode.json`).toString());
  const files = new Map<number, string>();
  for (const [part, list] of Object.entries(ranges)) {
    const file = `${name}/files/noto-sans-${family}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`;
    for (const range of list.split(',')) {
      const [first = 0, last = first] = range
        .slice(2)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      for (let codePoint = first; codePoint <= last; codePoint += 1) files.set(codePoint, file);
    }
  }
  filesByFamily.set(family, files);
  return files;
}

/** Reads a file of a package. */
export function readPackaged(name: string): Buffer {
  return readFileSync(fileURLToPath(import.meta.resolve(name)));
}

/**
 * Opens the font with a name from `cjkFontsOf`. Its file has all weights, packed as WOFF2; fontkit can read it, but can
 * neither change its weight nor embed a part of it. HarfBuzz makes it a TrueType font of one weight.
 */
export async function openCjkFont(name: string): Promise<Font> {
  const [file = '', weight = ''] = name.split('#');
  const bytes = await subsetFont(readPackaged(file), undefined, {
    keepAllGlyphs: true,
    variationAxes: { wght: Number(weight) },
    targetFormat: 'truetype',
  });
  const font = create(bytes);
  if (!('layout' in font)) throw new Error(`${file} holds more than one font.`);
  // pdfkit treats fonts of the same name as one font.
  return Object.create(font, {
    postscriptName: { value: `${/([^/]*)-wght/.exec(file)?.[1]}-${weight}` },
  }) as Font;
}
