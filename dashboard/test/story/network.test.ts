import { expect } from 'vitest';
import { goOffline, slowDown } from './network.ts';
import { story } from './story.ts';

const ASK = "fetch('/healthz').then(({ status }) => status, () => 'no answer')";

story('the network goes away and comes back', async ({ page, context, open, watch }) => {
  await open('/app/login');
  // The page has loaded its parts.
  await page.getByRole('heading', { level: 1 }).waitFor();
  const goOnline = await goOffline(context, watch);
  expect(await page.evaluate(ASK)).toBe('no answer');
  await goOnline();
  await expect.poll(() => page.evaluate(ASK)).toBe(200);
});

story('a slow network takes 400 ms for each answer', async ({ page, context, open }) => {
  await open('/app/login');
  await slowDown(context, page);
  const elapsedMs = `(async () => { const since = performance.now(); await ${ASK}; return performance.now() - since; })()`;
  expect(await page.evaluate(elapsedMs)).toBeGreaterThanOrEqual(400);
});
