import { expect } from 'vitest';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

const DAY_MS = 86_400_000;

story('an invoice of several lines is written with the keyboard, and its total is known before', async (told) => {
  const { page, open, company, logInToConsole, operator } = told;
  await operator.companies.billingSettings.update(company.id, {
    ...{ currency: 'EUR', taxRate: '19', netDays: 14, collection: 'manual' },
  });
  await logInToConsole();
  await open(`/console/companies/${company.id}`);
  await page.getByRole('button', { name: 'Create invoice' }).click();
  const dialog = page.getByRole('dialog');
  const preview = dialog.getByRole('region', { name: 'What will be issued' });
  await preview.getByText('Somebody at the company has to pay it.').waitFor();
  await expect.poll(() => dialog.getByLabel('Currency').inputValue()).toBe('EUR');
  await dialog.getByLabel('Period from').fill('2026-10-01');
  await dialog.getByLabel('Period to').fill('2026-10-31');
  await dialog.getByLabel('What it is for').focus();
  await page.keyboard.type('Set-up');
  await page.keyboard.press('Tab');
  await page.keyboard.type('3');
  await page.keyboard.press('Tab');
  await page.keyboard.type('100.005');
  // With one line alone, the next stop is the button that adds one; with several, the line can be removed before it.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const titles = dialog.getByLabel('What it is for');
  await expect.poll(() => titles.count()).toBe(2);
  await page.keyboard.type('Discount');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('-0.01');
  await preview.getByText('€119.00').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => titles.count()).toBe(3);
  await page.keyboard.type('By mistake');
  await preview.getByText('€119.00').waitFor();
  await pictureOf(page, 'console-create-invoice-lines');
  await dialog.getByRole('button', { name: 'Remove line 3' }).press('Enter');
  await expect.poll(() => titles.count()).toBe(2);
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('Discount');
  await dialog.getByRole('button', { name: 'Create invoice' }).click();
  await page.getByText(/^Invoice INV-\d+ is issued$/).waitFor();
  const { data } = await operator.invoices.list({ companyId: company.id });
  expect(data).toMatchObject([
    { currency: 'EUR', subTotal: '100.00', tax: '19.00', total: '119.00', reference: null, method: 'Card' },
  ]);
  const [invoice] = data;
  expect(invoice?.details.map(({ title, totalRequest, amount }) => [title, totalRequest, amount])).toEqual([
    ['Set-up', '3', 100.01],
    ['Discount', '1', -0.01],
  ]);
  const daysUntilDue = (Date.parse(invoice?.dueAt ?? '') - Date.parse(invoice?.createdAt ?? '')) / DAY_MS;
  expect(Math.round(daysUntilDue)).toBe(14);
});

story('a line that the service refuses has its words beside it', async ({ page, open, company, logInToConsole }) => {
  await logInToConsole();
  await open(`/console/companies/${company.id}`);
  await page.getByRole('button', { name: 'Create invoice' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Period from').fill('2026-10-01');
  await dialog.getByLabel('Period to').fill('2026-10-31');
  await dialog.getByLabel('What it is for').fill('Set-up');
  await dialog.getByLabel('Amount of the line without tax').fill('ten');
  await dialog.getByRole('region', { name: 'What will be issued' }).getByText('–').first().waitFor();
  await dialog.getByRole('button', { name: 'Create invoice' }).click();
  await expect
    .poll(() => dialog.getByLabel('Amount of the line without tax').getAttribute('aria-invalid'))
    .toBe('true');
  await dialog.getByText(/^Must be .*decimal/).waitFor();
});
