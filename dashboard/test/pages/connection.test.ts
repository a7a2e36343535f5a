import { expect } from 'vitest';
import { goOffline } from '../story/network.ts';
import { story } from '../story/story.ts';

story('a page whose script is not loaded without a connection says so, and can be tried again', async (told) => {
  const { page, context, open, logIn, watch } = told;
  await logIn();
  await open('/app');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  await heading('Home').waitFor();
  const goOnline = await goOffline(context, watch);
  // React reports what the page could not show.
  watch.allow(/TypeError|Minified React error/);
  await page.getByRole('link', { name: 'Invoices' }).first().click();
  await heading('Something went wrong').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading('Something went wrong').waitFor();
  await goOnline();
  await expect
    .poll(async () => {
      await page
        .getByRole('button', { name: 'Try again' })
        .click({ timeout: 1_000 })
        .catch(() => undefined);
      return page.title();
    })
    .toBe('Invoices · Paydesk');
  expect(new URL(page.url()).pathname).toBe('/app/invoices');
});
