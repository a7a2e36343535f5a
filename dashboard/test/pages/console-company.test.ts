import { expect } from 'vitest';
import { signUpLifelikeCompany } from '../service/lifelike.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('the operator changes how a company is billed', async ({ page, open, company, logInToConsole, operator }) => {
  await logInToConsole();
  await open(`/console/companies/${company.id}`);
  await page.getByRole('link', { name: 'Billing', exact: true }).click();
  await page.getByRole('heading', { name: 'Billing settings' }).waitFor();
  await page.getByLabel('Days until payment is due').fill('14');
  await page.getByLabel('Retries after a refusal').fill('3, 90');
  await page.getByLabel('Currency').fill('eur');
  await page.getByLabel('Tax rate in percent').fill('19');
  await page.getByRole('combobox', { name: 'Collection' }).click();
  await page.getByRole('option', { name: 'Manual' }).click();
  await page.getByRole('switch', { name: 'No tax with a valid tax number' }).click();
  await page.getByRole('combobox', { name: 'Usage that arrives late' }).click();
  await page.getByRole('option', { name: 'On the next invoice, refused after some days' }).click();
  await page.getByLabel('Days for which it is accepted').fill('10');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Must be .*60$/).waitFor();
  // Somebody else changes another field meanwhile.
  await operator.companies.billingSettings.update(company.id, { invoiceGraceHours: 5 });
  await page.getByLabel('Retries after a refusal').fill('3, 5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The billing settings are saved').waitFor();
  expect(await operator.companies.billingSettings.get(company.id)).toMatchObject({
    ...{ netDays: 14, dunningDays: [3, 5], currency: 'EUR', taxRate: '19', collection: 'manual' },
    ...{ exemptWithTaxId: true, lateUsage: { kind: 'refuse', days: 10 }, invoiceGraceHours: 5 },
  });
  await page.getByText('Somebody at the company has to pay each invoice.').waitFor();
  await pictureOf(page, 'console-company-billing-saved');
});

story(
  'the operator reads what a company uses, which prices it has, and what its programs use',
  async ({ page, open, company, logInToConsole, operator }) => {
    await logInToConsole();
    await open(`/console/companies/${company.id}/usage`);
    await page.getByRole('heading', { name: 'Upcoming invoice' }).waitFor();
    const usage = page.getByRole('table', { name: 'Usage of this month' });
    await usage.getByText('/v1/transcriptions').waitFor();
    await page.getByRole('button', { name: 'Add threshold' }).click();
    await page.getByLabel('Quantity to reach').fill('777');
    await page.getByRole('dialog').getByRole('button', { name: 'Add threshold' }).click();
    await page.getByRole('cell', { name: '777', exact: true }).waitFor();
    const { data } = await operator.companies.usageThresholds.list(company.id);
    expect(data.map(({ quantity }) => quantity)).toContain('777');
    await page.getByRole('link', { name: 'Prices', exact: true }).nth(1).click();
    await page.getByRole('cell', { name: 'Speech to text' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/companies/${company.id}/prices`);
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('cell', { name: 'https://bookkeeping.invalid/paydesk' }).waitFor();
    await page.getByRole('table', { name: 'API keys' }).getByText('Bookkeeping').waitFor();
  },
  { makeCompany: signUpLifelikeCompany },
);

story('a part of a company that fails can be tried again, and the others stay', async (told) => {
  const { page, open, company, logInToConsole } = told;
  await logInToConsole();
  const error = { code: 'forbidden', message: 'Not now', details: [], requestId: 'lost-request' };
  await page.route('**/credits', (route) => route.fulfill({ status: 403, json: { data: null, error } }));
  await open(`/console/companies/${company.id}`);
  await page.getByRole('table', { name: 'Members' }).getByText(company.admin.email).waitFor();
  const failed = page.getByRole('alert').filter({ hasText: 'This part could not be loaded' });
  await failed.waitFor();
  await page.unroute('**/credits');
  await failed.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No credit has been granted or used.').waitFor();
});
