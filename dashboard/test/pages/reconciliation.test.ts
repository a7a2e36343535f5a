import { expect } from 'vitest';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('the books are compared to their end, and go on where a part failed', async (told) => {
  const { page, context, open, logInToConsole, watch } = told;
  await logInToConsole();
  watch.allow(/500/);
  const parts: (string | null)[] = [];
  const retry = page.getByRole('button', { name: 'Try again' });
  let retried = 0;
  await context.route('**/operator/reconciliation?*', async (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor');
    const isFirstTry = cursor !== null && !parts.includes(cursor);
    parts.push(cursor);
    if (!isFirstTry) {
      // While it is asked again, nothing says that it has stopped.
      await retry.waitFor({ state: 'hidden' });
      retried += 1;
      return route.continue();
    }
    return route.fulfill({
      status: 500,
      json: { error: { code: 'internal_error', message: 'The gateway does not answer.', requestId: 'request-1' } },
    });
  });
  await open('/console/reconciliation?from=2025-01-01&to=2025-01-31');
  await page.getByText('The comparison has stopped').waitFor();
  expect(await page.getByText('Both books agree').count()).toBe(0);
  const isOver = page.getByText('Both books agree');
  for (let before = retried; (await isOver.count()) === 0; before = retried) {
    await retry.click();
    await expect.poll(() => retried).toBeGreaterThan(before);
    await retry.or(isOver).waitFor();
  }
  expect(new Set(parts).size).toBeGreaterThan(2);
  await pictureOf(page, 'console-reconciliation');
});
