import { expect } from 'vitest';
import { story } from './story.ts';

const OBJECTIONS: [what: string, script: string, finding: RegExp][] = [
  [
    'an inline style',
    "document.head.append(Object.assign(document.createElement('style'), { textContent: 'b {}' }))",
    /style-src/,
  ],
  ['a text as markup', "try { document.body.innerHTML = '<b>x</b>'; } catch {}", /require-trusted-types-for/],
  ['an error on the console', "console.error('broken')", /console: broken/],
  ['an error that nothing catches', "setTimeout(() => { throw new Error('thrown'); })", /error: Error: thrown/],
  [
    'a request to another host',
    "document.body.append(Object.assign(new Image(), { src: 'http://example.com/x.png' }))",
    /foreign request: GET http:\/\/example\.com/,
  ],
  [
    'an asset that is missing',
    "document.body.append(Object.assign(new Image(), { src: '/app/assets/x.png' }))",
    /x\.png/,
  ],
];

for (const [what, script, finding] of OBJECTIONS) {
  story(`a story fails after ${what}`, async ({ page, open, watch }) => {
    await open('/app/login');
    await watch.check();
    await page.evaluate(script);
    let found = '';
    await expect.poll(async () => (found += await watch.check().catch(String))).toMatch(finding);
    await expect.poll(() => watch.check().catch(String)).toBeUndefined();
  });
}

story('what the API refuses is no failure of a story', async ({ page, open }) => {
  await open('/app/login');
  expect(await page.evaluate(() => fetch('/labels').then(({ status }) => status))).toBe(401);
});
