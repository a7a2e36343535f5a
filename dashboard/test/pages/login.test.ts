import { expect } from 'vitest';
import { type App, openApp } from '../../../server/test/customers/second-factors.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';

/** Turns TOTP on for the admin of the story's company. */
async function turnOnTotp({ client, admin }: Story['company']): Promise<{ app: App; recoveryCodes: string[] }> {
  const { data } = await client.auth.totp.begin({ password: admin.password });
  const app = openApp(data.secret, { clock: () => new Date(), goOn: () => undefined });
  // The code of the step before, so that the one that is shown now is still good for a login.
  const { data: confirmed } = await client.auth.totp.confirm({ code: app.code(-1) });
  return { app, recoveryCodes: confirmed.recovery_codes ?? [] };
}

async function enterPassword({ page, company }: Story, password = company.admin.password): Promise<void> {
  await page.getByLabel('Email').fill(company.admin.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

story('a wrong password is said in words, and the right one leads to the page that was wanted', async (told) => {
  const { page, open } = told;
  await open('/app/invoices?state=open');
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
  await enterPassword(told, 'Wrong-horse-77');
  await page.getByText('The e-mail or the password is wrong.').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-login-refused');
  await enterPassword(told);
  await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
  expect(new URL(page.url()).search).toBe('?state=open');
});

story('a login leads to no page outside of the app', async (told) => {
  const { page, open, service } = told;
  for (const foreign of ['https://example.com/app', '//example.com', '/console', '/\\example.com']) {
    await open(`/app/login?return_to=${encodeURIComponent(foreign)}`);
    await enterPassword(told);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(page.url()).toBe(`${service.url}/app`);
    await told.context.clearCookies();
  }
});

story('a login asks for the code of the app', async (told) => {
  const { page, open, company } = told;
  const { app } = await turnOnTotp(company);
  await open('/app/login');
  await enterPassword(told);
  await page.getByLabel('Code').fill('000000');
  await checkAccessibility(page);
  await pictureOf(page, 'app-login-code');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('The code is wrong, was used before, or has expired.').waitFor();
  await page.getByLabel('Code').fill(app.code());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

story('a recovery code stands in for the app', async (told) => {
  const { page, open, company } = told;
  const { recoveryCodes } = await turnOnTotp(company);
  await open('/app/login');
  await enterPassword(told);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

story('a sign-in provider that nobody knows is said in words, and so is a sign-in that has failed', async (told) => {
  const { page, open } = told;
  await open('/app/login?error=no_account');
  await page.getByText('There is no account for you here.').waitFor();
  await page.getByRole('button', { name: 'Use single sign-on' }).click();
  await page.getByLabel('Sign-in provider').fill('nobody');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('There is no sign-in provider with this name.').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-login-provider');
});

story('an operator key opens the console, and stays nowhere in the browser', async ({ page, open, service }) => {
  await open('/console');
  await page.getByRole('heading', { level: 1, name: 'Log in to the console' }).waitFor();
  await page.getByLabel('Operator key').fill('opk_wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('The operator key is wrong or has expired.').waitFor();
  await page.getByLabel('Operator key').fill(service.operatorKey);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toContain(service.operatorKey);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

story('the login loads less than 200 kB of scripts', async ({ page, open }) => {
  await open('/app/login');
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
  await page.waitForLoadState('networkidle');
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
  );
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
});
