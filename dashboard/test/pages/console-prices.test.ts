import { expect } from 'vitest';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('a price with tiers is created for one company, and the calculator counts by them', async (told) => {
  const { page, open, company, logInToConsole, operator } = told;
  await operator.companies.update(company.id, { name: company.name });
  const path = `/v1/${crypto.randomUUID()}`;
  await logInToConsole();
  await open('/console/prices');
  await page.getByRole('button', { name: 'Create price' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'For' }).click();
  await page.getByRole('option', { name: 'One company' }).click();
  await dialog.getByRole('combobox', { name: 'Company' }).fill(company.name);
  await page.getByRole('option', { name: company.name }).click();
  await dialog.getByLabel('Title').fill('Translation');
  await dialog.getByLabel('Path').fill(path);
  await dialog.getByLabel('In effect from').fill('2026-01-01');
  await dialog.getByRole('combobox', { name: 'Model' }).click();
  await page.getByRole('option', { name: 'Graduated' }).click();
  await dialog.getByRole('button', { name: 'Add tier' }).click();
  await dialog.getByRole('button', { name: 'Remove tier 2' }).click();
  await dialog.getByLabel('Up to request').first().fill('0');
  await dialog.getByLabel('Amount per request').first().fill('0.004');
  await dialog.getByLabel('Amount per request').last().fill('0.0025');
  await dialog.getByLabel('Fixed amount').last().fill('5');
  await dialog.getByLabel('Free requests').fill('1000');
  await dialog.getByRole('button', { name: 'Create price' }).click();
  await dialog.getByText(/^Must be/).waitFor();
  await dialog.getByLabel('Up to request').first().fill('10000');
  await pictureOf(page, 'console-create-price');
  await dialog.getByRole('button', { name: 'Create price' }).click();
  await page.getByText('Price created').waitFor();
  const { data } = await operator.prices.list({ path });
  expect(data).toMatchObject([
    {
      ...{ companyId: company.id, model: 'graduated', freeRequests: 1_000, effectiveFrom: '2026-01-01T00:00:00.000Z' },
      tiers: [
        { upTo: 10_000, unitAmount: '0.004' },
        { upTo: null, unitAmount: '0.0025', flatAmount: '5' },
      ],
    },
  ]);
  await page.getByRole('textbox', { name: 'Path' }).last().fill(path);
  await page.getByLabel('Quantity').fill('12345');
  await page.getByRole('button', { name: 'Calculate' }).click();
  await page.getByText('No price applies to this path and currency').waitFor();
  await page.getByRole('combobox', { name: 'Company' }).fill(company.name);
  await page.getByRole('option', { name: company.name }).click();
  await page.getByRole('button', { name: 'Calculate' }).click();
  // 1,000 are free, 10,000 cost $0.004, 1,345 cost $0.0025, and $5 once.
  await page.getByText('12,345 requests cost $48.36').waitFor();
  const row = page.getByRole('row').filter({ hasText: path });
  await row.getByRole('cell', { name: 'Jan 1, 2026' }).waitFor();
  await row.getByRole('link', { name: company.name }).waitFor();
  await page.getByRole('row', { name: '1,345 $0.0025 $3.3625' }).waitFor();
  await pictureOf(page, 'console-calculator');
});

story('a version follows another one, and both stand on the page of the price', async (told) => {
  const { page, open, logInToConsole, operator } = told;
  const path = `/v1/${crypto.randomUUID()}`;
  const title = `Speech ${path.slice(-4)}`;
  const { id } = await operator.prices.create({
    ...{ path, title, currency: 'EUR', effectiveFrom: '2026-01', model: 'volume' },
    tiers: [
      { upTo: 100, unitAmount: '0.02' },
      { upTo: null, unitAmount: '0.01' },
    ],
  });
  await logInToConsole();
  await open(`/console/prices?path=${encodeURIComponent(path)}`);
  await page.getByRole('link', { name: title }).click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.getByRole('button', { name: 'Create version' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('In effect from').fill('2099-01-01');
  await dialog.getByLabel('Amount per request').last().fill('0.009');
  await dialog.getByRole('button', { name: 'Create version' }).click();
  await page.getByText('Price created').waitFor();
  const versions = page.getByRole('table', { name: 'Versions' });
  await versions.getByRole('row').filter({ hasText: 'Scheduled' }).getByText('from 101: €0.009 each').waitFor();
  await versions.getByRole('row').filter({ hasText: 'In effect' }).getByText('1 to 100: €0.02 each').first().waitFor();
  await pictureOf(page, 'console-price');
  await versions.getByRole('link').first().click();
  await page.getByRole('button', { name: 'Delete price' }).click();
  await dialog.getByLabel('Type the title of the price').fill(title);
  await dialog.getByRole('button', { name: 'Delete price' }).click();
  await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
  expect((await operator.prices.list({ path })).data.map((price) => price.id)).toEqual([id]);
  await open(`/console/prices/${id}`);
  await page.getByRole('button', { name: 'End price' }).click();
  await dialog.getByLabel('In effect until').fill('2099-06-01');
  await dialog.getByRole('button', { name: 'End price' }).click();
  await page.getByText('The price has an end').waitFor();
  await versions.getByRole('cell', { name: 'Jun 1, 2099' }).waitFor();
  expect((await operator.prices.get(id)).effectiveTo).toBe('2099-06-01T00:00:00.000Z');
});
