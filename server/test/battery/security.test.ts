import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const LAST_BAR = 66;

/** The rows of the table in docs/security-tests.md: bar, what holds, file, test. */
const rows = readFileSync(new URL('docs/security-tests.md', ROOT), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

const plain = (cell = '') => cell.replaceAll('`', '');

/** Whether a file has a test, or a group of tests, of this name. */
function hasTest(file: string, name: string): boolean {
  const url = new URL(file, ROOT);
  if (!existsSync(url)) return false;
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\(\\s*(['"\`])${literal}\\1,`).test(readFileSync(url, 'utf8'));
}

it('docs/security-tests.md names tests that exist, by their file and their exact name', () => {
  const shown = rows.filter(([, , file]) => file?.startsWith('`'));
  expect(shown.length).toBeGreaterThan(80);
  const missing = shown.filter(([, , file, name]) => !hasTest(plain(file), plain(name)));
  expect(missing).toEqual([]);
});

it('docs/security-tests.md has every bar, in order, each with a test or with the reason why there is none', () => {
  const bars = rows.map(([bar]) => Number(bar));
  expect(bars).toEqual(bars.toSorted((one, other) => one - other));
  expect([...new Set(bars)]).toEqual(Array.from({ length: LAST_BAR }, (_, index) => index + 1));
  for (const row of rows) {
    expect(row).toHaveLength(4);
    const [, what = '', file = '', test = ''] = row;
    expect([what, test].map((cell) => cell.length > 10)).toEqual([true, true]);
    expect(file).toMatch(/^(`[\w./-]+\.ts`|bench|not met yet|does not apply)$/);
  }
});
