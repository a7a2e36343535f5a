import bidiFactory from 'bidi-js';
import { hasCjk } from './cjk.ts';
import { hasRightToLeft, openFont, splitByFont, type Weight } from './fonts.ts';

export type Style = { size: number; weight: Weight; color: string };

/** A part of a line in one font and one direction, in drawing order. Lengths are points. */
export type Run = { text: string; font: string; isRightToLeft: boolean; width: number };
export type Line = { runs: Run[]; width: number };

type Stretch = { text: string; level: number };

/** The package exports the factory itself, which its types call `default`. */
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Removes control characters and characters that no font draws. The two joiners stay, because some scripts need them.
 */
export function toPlainText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/(?![\u200c\u200d])(?:\p{Cf}|\p{Variation_Selector})/gu, '')
    .trim();
}

/**
 * The Chinese, Japanese and Korean letters that laying out these texts may draw, alone and as graphemes: a bracket is
 * mirrored from right to left, and a line may break within a grapheme.
 */
export function findCjkLetters(texts: string): string[] {
  const plain = toPlainText(texts);
  if (!hasCjk(plain)) return [];
  const letters = new Set(plain);
  const mirrored = [...letters].map((letter) => bidi.getMirroredCharacter(letter) ?? letter);
  const segments = [...graphemes.segment(plain)].map(({ segment }) => segment);
  return [...new Set([...letters, ...mirrored, ...segments])].filter(hasCjk);
}

/** Lays out a text on one line of any length: chooses fonts and orders right-to-left parts. */
export function layOutLine(text: string, style: Style): Line {
  const runs = inVisualOrder(splitByLevel(text)).flatMap(({ text: stretch, level }) => {
    const isRightToLeft = level % 2 === 1;
    const parts = splitByFont(stretch, style.weight);
    return (isRightToLeft ? parts.reverse() : parts).map((part) => toRun(part, isRightToLeft, style));
  });
  return { runs, width: runs.reduce((sum, { width }) => sum + width, 0) };
}

function toRun({ text, font: name }: { text: string; font: string }, isRightToLeft: boolean, { size }: Style): Run {
  const font = openFont(name);
  // Letters tell a font their direction; punctuation alone does not.
  const drawn = isRightToLeft && !hasRightToLeft(text) ? [...text].reverse().join('') : text;
  const { advanceWidth } = font.layout(drawn);
  return { text: drawn, font: name, isRightToLeft, width: (advanceWidth * size) / font.unitsPerEm };
}

/** Divides a text by direction, by the Unicode Bidirectional Algorithm. */
function splitByLevel(text: string): Stretch[] {
  if (!hasRightToLeft(text)) return [{ text, level: 0 }];
  const embedding = bidi.getEmbeddingLevels(text);
  const stretches: Stretch[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const level = embedding.levels[index] ?? 0;
    const character = text.charAt(index);
    const shown = level % 2 === 1 ? (bidi.getMirroredCharacter(character) ?? character) : character;
    const last = stretches.at(-1);
    if (last !== undefined && last.level === level) last.text += shown;
    else stretches.push({ text: shown, level });
  }
  return stretches;
}

/** Orders runs by rule L2: from the highest level down to 1, adjacent runs of at least that level are reversed. */
function inVisualOrder(stretches: Stretch[]): Stretch[] {
  let ordered = stretches;
  for (let level = Math.max(...stretches.map((one) => one.level), 0); level >= 1; level -= 1) {
    const turned: Stretch[] = [];
    let group: Stretch[] = [];
    for (const stretch of ordered) {
      if (stretch.level >= level) group.unshift(stretch);
      else {
        turned.push(...group, stretch);
        group = [];
      }
    }
    ordered = [...turned, ...group];
  }
  return ordered;
}

/** Breaks a text into lines of at most this width: between words, after a slash, or within a word that is too long. */
export function breakIntoLines(text: string, maxWidth: number, style: Style): Line[] {
  const lines: string[] = [];
  let current = '';
  let currentWidth = 0;
  for (const { text: piece, width, widthAtEnd } of piecesOf(toPlainText(text), maxWidth, style)) {
    if (current !== '' && currentWidth + widthAtEnd > maxWidth) {
      lines.push(current);
      current = '';
      currentWidth = 0;
    }
    current += piece;
    currentWidth += width;
  }
  if (current !== '') lines.push(current);
  return lines.map((line) => layOutLine(line.trim(), style));
}

/** A piece after which a line may break. Its trailing spaces do not count at the end of a line. */
type Piece = { text: string; width: number; widthAtEnd: number };

function piecesOf(text: string, maxWidth: number, style: Style): Piece[] {
  const measured = new Map<string, Piece>();
  const measure = (part: string): Piece => {
    const known = measured.get(part);
    if (known !== undefined) return known;
    const widthAtEnd = layOutLine(part.trimEnd(), style).width;
    const piece = { text: part, widthAtEnd, width: /\s$/.test(part) ? layOutLine(part, style).width : widthAtEnd };
    measured.set(part, piece);
    return piece;
  };
  const words = text.match(/[^\s/]*\/\s*|[^\s/]+\s*/g) ?? [];
  return words.map(measure).flatMap((word) => {
    if (word.widthAtEnd <= maxWidth) return [word];
    return [...graphemes.segment(word.text)].map(({ segment }) => measure(segment));
  });
}
