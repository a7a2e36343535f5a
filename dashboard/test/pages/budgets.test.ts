/** How much script a page loads, compressed as it is sent. Sizes depend on no machine, so that they are a test and not a bench. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { story } from '../story/story.ts';

/** Loads a page with an empty cache. @returns the compressed kilobytes of all its scripts, prefetched ones included */
async function scriptsOf(page: Page, open: (path: string) => Promise<void>, path: string): Promise<number> {
  await open(path);
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  );
  expect(bytes).toBeGreaterThan(10_000);
  return bytes / 1_000;
}

story('the login loads less than 200 kB of script', async ({ page, open }) => {
  expect(await scriptsOf(page, open, '/app/login')).toBeLessThan(200);
});

story('home loads less than 350 kB of script, with what it loads ahead', async ({ page, open, logIn }) => {
  await logIn();
  expect(await scriptsOf(page, open, '/app')).toBeLessThan(350);
});

story(
  'the console loads less than 700 kB of script, with what it loads ahead',
  async ({ page, open, logInToConsole }) => {
    await logInToConsole();
    expect(await scriptsOf(page, open, '/console')).toBeLessThan(700);
  },
);
