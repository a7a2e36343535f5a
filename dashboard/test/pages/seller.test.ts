import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { pageText, readPdf } from '../../../server/test/billing/pdf.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

/** Saves the sample that the page has, and returns what stands in it. */
async function readSample(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Open preview' }).click(),
  ]);
  const { pages } = readPdf(await buffer(await download.createReadStream()));
  return pages.map(pageText).join('\n');
}

story('the seller is seen on a sample invoice while it is typed, and kept only by saving', async (told) => {
  const { page, open, logInToConsole, operator } = told;
  const before = await operator.seller.get();
  await logInToConsole();
  await open('/console/seller');
  await page.getByLabel('Name').fill('Southwind Interfaces AG');
  await page.getByLabel('Address, a line each').fill('Bahnhofstrasse 1\n8001 Zürich');
  await expect.poll(() => readSample(page)).toContain('8001 Zürich');
  expect(await readSample(page)).toContain('Southwind Interfaces AG');
  expect(await operator.seller.get()).toEqual(before);
  await pictureOf(page, 'console-seller-preview');
  const address = page.getByLabel('Address, a line each');
  await address.fill(`Bahnhofstrasse 1\n${'x'.repeat(256)}`);
  await page.getByText(/^Must .*255/).waitFor();
  await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
  await address.fill('Bahnhofstrasse 2');
  await expect.poll(() => address.getAttribute('aria-invalid')).not.toBe('true');
  await expect.poll(() => readSample(page)).toContain('Bahnhofstrasse 2');
});

story('an answer for details that have changed since is dropped', async (told) => {
  const { page, open, logInToConsole } = told;
  await logInToConsole();
  await open('/console/seller');
  await page.getByRole('link', { name: 'Open preview' }).waitFor();
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route('**/operator/seller/preview', async (route) => {
    if (!(route.request().postData() ?? '').includes('Slowwind')) return route.continue();
    asked.resolve();
    await held.promise;
    await route.continue().catch(() => undefined);
  });
  await page.getByLabel('Name').fill('Slowwind');
  await asked.promise;
  const cancelled = page.waitForEvent('requestfailed');
  await page.getByLabel('Name').fill('Quickwind');
  await cancelled;
  held.resolve();
  await expect.poll(() => readSample(page)).toContain('Quickwind');
});

story('the sample is shown in the page where the browser shows a PDF', async ({ page, open, logInToConsole }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true }));
  await logInToConsole();
  await open('/console/seller');
  const frame = page.locator('iframe[title="Preview"]');
  await frame.waitFor();
  expect(await frame.getAttribute('src')).toMatch(/^blob:/);
});
