import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Theme = 'light' | 'dark';

const SOURCES = join(import.meta.dirname, '..');
const TOKENS = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const THEMES = ['light', 'dark'] as const;
const SURFACES = ['surface', 'surface-sunken', 'surface-raised', 'surface-hover', 'surface-selected'];
const TONES = ['neutral', 'info', 'success', 'warning', 'danger'];
const CHART = ['chart-1', 'chart-2', 'chart-3', 'chart-4'];

/** What Base UI sets on the elements of its popups. */
const OF_BASE_UI = new Set(['anchor-width', 'available-height', 'available-width', 'transform-origin']);

/** Texts and what they stand on: 4.5:1 at least (WCAG 2.2, 1.4.3). */
const TEXTS = [
  ...['text', 'text-muted', 'accent-text', 'danger-text'].flatMap((text) => SURFACES.map((surface) => [text, surface])),
  ...TONES.flatMap((tone) => [
    [`${tone}-text`, `${tone}-surface`],
    ['text', `${tone}-surface`],
    [`${tone}-text`, 'surface-raised'],
  ]),
  ...['accent', 'accent-hover', 'danger', 'danger-hover'].map((surface) => ['text-on-accent', surface]),
  ['surface', 'text'],
] as [string, string][];

/** Borders of controls, rings and lines that carry meaning, and what they stand on: 3:1 at least (1.4.11). */
const SHAPES = [
  ...['border-strong', 'focus', 'accent'].flatMap((shape) => SURFACES.slice(0, 4).map((surface) => [shape, surface])),
  ...CHART.flatMap((line) => [
    [line, 'surface'],
    [line, 'surface-raised'],
  ]),
] as [string, string][];

/** Returns the colour of a token in a theme, such as `#4f46e5`. */
function colourOf(token: string, theme: Theme): string {
  const value = new RegExp(`^ +--${token}: (.+);$`, 'm').exec(TOKENS)?.[1] ?? '';
  const [light = value, dark = value] = value.match(/#[0-9a-f]{6}/g) ?? [];
  const colour = theme === 'light' ? light : dark;
  if (!/^#[0-9a-f]{6}$/.test(colour)) throw new Error(`The token --${token} is no colour: ${value}`);
  return colour;
}

/** The relative luminance of a colour (WCAG 2.2, definition). */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function tooWeak(pairs: [string, string][], theme: Theme, least: number): string[] {
  return pairs.flatMap(([front, back]) => {
    const contrast = contrastOf(colourOf(front, theme), colourOf(back, theme));
    return contrast < least ? [`--${front} on --${back}: ${contrast.toFixed(2)}`] : [];
  });
}

describe('the colours', () => {
  for (const theme of THEMES) {
    it(`of a text stand out of what is behind it, ${theme}`, () => {
      expect(tooWeak(TEXTS, theme, 4.5)).toEqual([]);
    });

    it(`of a border, a ring or a line stand out of what is behind it, ${theme}`, () => {
      expect(tooWeak(SHAPES, theme, 3)).toEqual([]);
    });
  }

  it('stand in the tokens alone, and each token that a style names is there', () => {
    const styles = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css'));
    const findings = styles.flatMap((path) => {
      const text = readFileSync(join(SOURCES, path), 'utf8');
      const colours = path.endsWith('tokens.css')
        ? []
        : (text.match(/#[0-9a-f]{3,8}\b|\b(rgba?|hsla?|oklch)\(/gi) ?? []);
      const unknown = [...text.matchAll(/var\(--([\w-]+)/g)]
        .map(([, token = '']) => token)
        .filter((token) => !OF_BASE_UI.has(token) && !TOKENS.includes(`--${token}:`));
      return [...colours, ...unknown].map((finding) => `${path}: ${finding}`);
    });
    expect(findings).toEqual([]);
  });
});
