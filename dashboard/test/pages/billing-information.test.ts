import { expect } from 'vitest';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('billing information shows as on the invoice while it is typed, and is saved', async (told) => {
  const { page, open, logIn, company } = told;
  await logIn();
  await open('/app/billing-information');
  await page.getByLabel('Organization').fill('Analytical Engines Ltd');
  const preview = page.getByRole('region', { name: 'On the invoice' });
  await preview.getByText('Analytical Engines Ltd').waitFor();
  await page.getByLabel('Address').fill('12 St James Square');
  await page.getByLabel('City').fill('London');
  await page.getByLabel('Country').click();
  await page.getByRole('option', { name: 'United Kingdom' }).click();
  await page.getByLabel('VAT or tax number').fill('GB123456789');
  await preview.getByText('Tax ID: GB123456789').waitFor();
  await pictureOf(page, 'billing-information');
  await checkAccessibility(page);
  const questions: string[] = [];
  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('link', { name: 'Invoices', exact: true }).click();
  await expect.poll(() => questions).toEqual([expect.stringContaining('not saved')]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Billing information saved').waitFor();
  expect(await company.client.billingInformation.get()).toMatchObject({ city: 'London', taxId: 'GB123456789' });
  await page.getByRole('link', { name: 'Invoices', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
});
