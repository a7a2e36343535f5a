import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { mailsTo, tokenIn } from '../../../server/test/mail/mails.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const nameOf = () =>
    page.evaluate(() => {
      const focused = document.activeElement as HTMLInputElement | null;
      return focused?.labels?.[0]?.textContent ?? focused?.textContent ?? '';
    });
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    if (name.test(await nameOf())) return;
  }
  throw new Error(`Tab never reaches ${name}.`);
}

story('somebody signs up by the keyboard alone, and verifies the e-mail address', async ({ page, open, service }) => {
  const email = `${randomUUID()}@example.com`;
  await open('/app/login');
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
  await tabTo(page, /^Sign up$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Create your account' }).waitFor();
  await checkAccessibility(page);
  const entries: [RegExp, string][] = [
    [/^First name$/, 'Grace'],
    [/^Last name$/, 'Hopper'],
    [/^Email$/, email],
    [/^Password$/, 'short'],
  ];
  for (const [name, text] of entries) {
    await tabTo(page, name);
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await page.getByText('Must be longer than 8 characters').waitFor();
  await pictureOf(page, 'app-signup-refused');
  await page.getByLabel('Password').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Correct-horse-7');
  await tabTo(page, /^Create account$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  const [mail] = await mailsTo(service.asTestService, email);
  await open(`/app/verify-email#token=${tokenIn(mail.text)}`);
  await page.getByRole('heading', { level: 1, name: 'Email verified' }).waitFor();
  expect(page.url()).toBe(`${service.url}/app/verify-email`);
  await checkAccessibility(page);
  await pictureOf(page, 'app-verify-email-done');
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

story('a forgotten password is reset by the link of a mail', async ({ page, open, service, company }) => {
  const { email } = company.admin;
  await open('/app/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reset your password' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText('a mail with a link is on its way').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-forgot-password-sent');
  const link = `/app/reset-password#token=${tokenIn((await mailsTo(service.asTestService, email))[0].text)}`;
  await open(link);
  await page.getByRole('heading', { level: 1, name: 'Set a new password' }).waitFor();
  expect(page.url()).not.toContain('#');
  await page.getByLabel('New password').fill('Password1!');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[aria-invalid=true]').waitFor();
  await page.getByLabel('New password').fill('Another-horse-8');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your password is changed').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-reset-password-done');
  await page.getByRole('main').getByRole('link', { name: 'Log in', exact: true }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('Another-horse-8');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

story('a link that was used says what to do', async ({ page, open }) => {
  await open(`/app/reset-password#token=${'A'.repeat(43)}`);
  await page.getByLabel('New password').fill('Another-horse-8');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This link was used, has expired, or was replaced').waitFor();
  await page.getByRole('link', { name: 'Send a new link' }).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-reset-password-used');
  await open(`/app/revert-email#token=${'x'.repeat(43)}`);
  await page.getByRole('heading', { level: 1, name: 'The e-mail could not be restored' }).waitFor();
  await checkAccessibility(page);
});

story(
  'a customer of a product opens the pages by its link, once',
  async ({ page, open, operator, service, company }) => {
    await operator.integration.update({ allowedOrigins: ['https://shop.example.com'] });
    const { url } = await operator.companies.sessions.create(company.id, {
      user: { id: 'user-42', name: 'Grace Hopper' },
      returnUrl: 'https://shop.example.com/account',
    });
    const link = String(url).replace(/^.*(?=\/app)/, '');
    await open(link);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(page.url()).toBe(`${service.url}/app`);
    await page.getByRole('navigation').getByRole('link', { name: 'Invoices' }).click();
    await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
    await page.reload();
    const back = page.getByRole('link', { name: 'Back to shop.example.com' });
    expect(await back.getAttribute('href')).toBe('https://shop.example.com/account');
    await checkAccessibility(page);
    await pictureOf(page, 'app-invoices-customer');
    await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
    await open(link);
    await page.getByText('The link was used before or has expired.').waitFor();
    await checkAccessibility(page);
    await pictureOf(page, 'app-session-used');
  },
);

story('a member is asked before a link opens the pages of a customer', async (told) => {
  const { page, open, logIn, operator, company } = told;
  const { url } = await operator.companies.sessions.create(company.id, {
    user: { id: 'user-43', name: 'Grace Hopper' },
  });
  await logIn();
  await open(String(url).replace(/^.*(?=\/app)/, ''));
  await page.getByRole('heading', { level: 1, name: 'Open another session?' }).waitFor();
  await page.getByText(company.admin.email).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-session-asked');
  await page.getByRole('button', { name: 'Continue as the customer' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByText('Grace Hopper').first().waitFor();
});
