import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);

/** The rows of all tables of a text, without those whose first cell is this. */
function readRows(text: string, title: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith(`| ${title} `))
    .map((line) => line.slice(2, -2).split(' | '));
}

/** The rows of the tables in docs/security-tests.md: the promise, the file, the test. */
const [tables = ''] = readFileSync(new URL('docs/security-tests.md', ROOT), 'utf8').split('## Fuzzing');
const rows = readRows(tables, 'What holds');

/** The rows of docs/asvs.md: the number, the level, the requirement, the file, the test. */
const requirements = readRows(readFileSync(new URL('docs/asvs.md', ROOT), 'utf8'), 'Number');

const plain = (cell = '') => cell.replaceAll('`', '');

/** Whether a file has a test or a group of tests with this name. */
function hasTest(file: string, name: string): boolean {
  const url = new URL(file, ROOT);
  if (!existsSync(url)) return false;
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\(\\s*(['"\`])${literal}\\1,`).test(readFileSync(url, 'utf8'));
}

it('docs/security-tests.md names tests that exist, by their file and their exact name', () => {
  const shown = rows.filter(([, file]) => file?.startsWith('`'));
  expect(shown.length).toBeGreaterThan(80);
  const missing = shown.filter(([, file, name]) => !hasTest(plain(file), plain(name)));
  expect(missing).toEqual([]);
});

it('docs/security-tests.md names a test or a bench for each promise, or says why there is none', () => {
  for (const row of rows) {
    expect(row).toHaveLength(3);
    const [what = '', file = '', test = ''] = row;
    expect([what, test].map((cell) => cell.length > 10)).toEqual([true, true]);
    expect(file).toMatch(/^(`[\w./-]+\.ts`|bench|not met yet|does not apply)$/);
  }
});

it('docs/asvs.md has each requirement once, in order, with a test that exists, a document, or the reason why not', () => {
  const order = new Intl.Collator('en', { numeric: true });
  const numbers = requirements.map(([number = '']) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort(order.compare));
  expect(numbers.length).toBeGreaterThan(90);
  for (const [number, level, what = '', where = '', test = '', ...more] of requirements) {
    expect([number, more, what.length > 10, test.length > 10]).toEqual([number, [], true, true]);
    expect(level).toMatch(/^[12]$/);
    expect(where).toMatch(/^(`[\w./-]+\.test\.ts`|\[\w+\]\([\w.#-]+\)|partly|not met|does not apply)$/);
    if (where.startsWith('`')) expect([number, hasTest(plain(where), plain(test))]).toEqual([number, true]);
  }
});
