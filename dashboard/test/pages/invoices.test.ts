import { expect } from 'vitest';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('a member logs in and reads the invoices', async ({ page, open, company, operator }) => {
  for (const amount of ['48.00', '1250.40']) {
    await operator.invoices.create({
      companyId: company.id,
      startAt: '2026-10-01T00:00:00Z',
      endAt: '2026-11-01T00:00:00Z',
      taxRate: '20',
      details: [{ title: 'Speech to text', path: '/v1/transcriptions', totalRequest: 12_000, currency: 'USD', amount }],
    });
  }
  await open('/app/invoices?state=open');
  await expect.poll(() => page.title()).toBe('Log in · Paydesk');
  await pictureOf(page, 'login');
  await checkAccessibility(page);
  await page.getByLabel('Email').fill(company.admin.email);
  await page.getByLabel('Password', { exact: true }).fill(company.admin.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
  await page.getByText('$1,500.48').waitFor();
  await pictureOf(page, 'invoices');
  await checkAccessibility(page);
});
