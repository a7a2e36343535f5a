import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { mailsTo, tokenIn } from '../../../server/test/mail/mails.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('a member changes name and language, and the pages speak it at once', async ({ page, open, logIn, company }) => {
  await logIn();
  await open('/app/profile');
  await page.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-profile');
  await page.getByLabel('First name').fill('Augusta');
  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await page.getByLabel('Language').click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await page.getByLabel('Time zone').click();
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ihr Profil' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await page.getByText('Augusta Lovelace').waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Ihr Profil' }).waitFor();
  await pictureOf(page, 'app-profile-de');
  await page.getByRole('navigation').getByRole('link', { name: 'Sicherheit' }).click();
  await expect.poll(() => page.locator('time').first().getAttribute('title')).toContain('GMT+9');
  const { data } = await company.client.auth.me.get();
  expect([data.first_name, data.language]).toEqual(['Augusta', 'de']);
});

story('a member changes the e-mail address by the link to the new one', async (told) => {
  const { page, open, logIn, company, service } = told;
  const next = `${randomUUID()}@example.com`;
  await logIn();
  await open('/app/profile');
  await page.getByText('Not verified').waitFor();
  await page.getByLabel('New email').fill(next);
  await page.getByLabel('Password').fill(company.admin.password);
  await page.getByRole('button', { name: 'Change email' }).click();
  await page.getByText(`We have sent a link to ${next}.`).waitFor();
  const [mail] = await mailsTo(service.asTestService, next);
  await open(`/app/verify-email#token=${tokenIn(mail.text)}`);
  await page.getByRole('heading', { level: 1, name: 'Email verified' }).waitFor();
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Your profile' }).click();
  await page.getByText(next).waitFor();
  await page.getByText('Verified', { exact: true }).waitFor();
  const former = (await mailsTo(service.asTestService, company.admin.email)).find(
    ({ type }) => type === 'email_changing',
  );
  await open(`/app/revert-email#token=${tokenIn(former.text)}`);
  await page.getByRole('heading', { level: 1, name: 'Email restored' }).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-revert-email-done');
});
