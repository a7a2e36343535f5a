import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('without a mail server, the link of an invitation is in the console', async (told) => {
  const { page, context, open, logInToConsole, operator } = told;
  const email = `${randomUUID()}@example.com`;
  await operator.staff.invite({ email, role: 'finance' });
  await logInToConsole();
  await open(`/console/emails?recipient=${email}`);
  await page.getByText('because no mail server was set up').waitFor();
  await pictureOf(page, 'console-emails-kept');
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').first().click();
  const panel = page.getByRole('dialog');
  await panel.getByText(email).waitFor();
  await panel.getByText('Kept').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'console-emails-one');
  const [invitation] = await Promise.all([context.waitForEvent('page'), panel.getByRole('link').click()]);
  await invitation.getByRole('heading', { level: 1, name: 'Join the staff' }).waitFor();
  expect(new URL(invitation.url()).pathname).toBe('/app/invitation');
  await invitation.close();
  await panel.getByRole('button', { name: 'Close' }).click();
  await panel.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe(`?recipient=${encodeURIComponent(email)}`);
});

story('who has logged in with a key is led to a login of their own', async ({ page, open, logInToConsole }) => {
  await logInToConsole();
  for (const path of ['/console/security', '/console/profile']) {
    await open(path);
    await page.getByRole('link', { name: 'Invite yourself at Staff' }).click();
    await page.getByRole('heading', { level: 1, name: 'Staff' }).waitFor();
  }
});
