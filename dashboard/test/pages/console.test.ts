import { expect } from 'vitest';
import { saveCard } from '../service/billing.ts';
import { focusByTab, typeAndTab } from '../story/keyboard.ts';
import { pictureOf } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';

const OCTOBER = { startAt: '2026-10-01T00:00:00Z', endAt: '2026-11-01T00:00:00Z' };

function issueInvoice({ operator, company }: Story) {
  const line = { title: 'Speech to text', path: '/v1/transcriptions', totalRequest: 12_000, currency: 'USD' };
  const details = [{ ...line, amount: '48.00' }];
  return operator.invoices.create({ companyId: company.id, ...OCTOBER, taxRate: '20', details });
}

story('the operator issues an invoice from the page of a company, and voids it', async (told) => {
  const { page, open, company, logInToConsole, operator } = told;
  await logInToConsole();
  await open(`/console/companies/${company.id}`);
  await page.getByRole('button', { name: 'Create invoice' }).click();
  await page.getByLabel('Period from').fill('2026-10-01');
  await page.getByLabel('Period to').fill('2026-10-31');
  await page.getByLabel('What it is for').fill('Set-up');
  await page.getByLabel('Amount of the line without tax').fill('48');
  await page.getByLabel('Tax rate in percent').fill('20');
  await page.getByRole('dialog').getByRole('button', { name: 'Create invoice' }).click();
  await page.getByText(/^Invoice INV-\d+ is issued$/).waitFor();
  await page.getByRole('link', { name: 'Invoices' }).last().click();
  await page.getByRole('link', { name: /^INV-/ }).click();
  const number =
    (await page.getByRole('heading', { level: 1, name: /^Invoice INV-/ }).textContent())?.replace('Invoice ', '') ?? '';
  await page.getByRole('button', { name: 'Void' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('$57.60').first().waitFor();
  await dialog.getByRole('row', { name: 'Receivable $57.60' }).waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Void' }).isDisabled()).toBe(true);
  await dialog.getByLabel(`Type the number ${number}`).fill(number);
  await dialog.getByRole('button', { name: 'Void' }).click();
  await page.getByText('Void', { exact: true }).first().waitFor();
  await page.getByText(`Invoice ${number} is void`).waitFor();
  const { data } = await operator.invoices.list({ companyId: company.id });
  expect(data.map(({ state, startAt, endAt }) => ({ state, startAt, endAt }))).toEqual([
    { state: 'void', startAt: '2026-10-01T00:00:00.000Z', endAt: '2026-11-01T00:00:00.000Z' },
  ]);
});

story('the operator issues a credit note', async (told) => {
  const { page, open, logInToConsole, operator } = told;
  const { id } = await issueInvoice(told);
  await logInToConsole();
  await open(`/console/invoices/${id}`);
  await page.getByRole('button', { name: 'Issue credit note' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Issue credit note' }).click();
  await dialog.getByText('Fill in this field').waitFor();
  await expect.poll(() => dialog.getByLabel('Amount (USD)').getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => dialog.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Amount (USD)').fill('9999');
  await dialog.getByLabel('Reason').fill('Too much');
  await dialog.getByRole('button', { name: 'Issue credit note' }).click();
  await dialog.getByRole('alert').getByText(/./).waitFor();
  await dialog.getByLabel('Amount (USD)').fill('7.60');
  await dialog.getByRole('button', { name: 'Issue credit note' }).click();
  await page.getByText('The credit note is issued').waitFor();
  await pictureOf(page, 'console-invoice-credited');
  expect((await operator.invoices.get(id)).creditedTotal).toBe('7.60');
});

story('a payment is refunded by keyboard alone, and the company sees when', async (told) => {
  const { page, open, company, logIn, logInToConsole, operator } = told;
  const { id, number } = await issueInvoice(told);
  await saveCard(company);
  await company.client.invoices.pay(id);
  await logInToConsole();
  await open(`/console/invoices/${id}`);
  await page.getByRole('heading', { level: 1, name: `Invoice ${number}` }).waitFor();
  await focusByTab(page, 'Refund');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByLabel('Amount (USD)');
  await expect.poll(() => amount.evaluate((element) => element === document.activeElement)).toBe(true);
  await typeAndTab(page, '7.60');
  await page.keyboard.type('Outage');
  await dialog.getByRole('row', { name: 'Cash at Sandbox $7.60' }).waitFor();
  await focusByTab(page, 'Refund');
  await page.keyboard.press('Enter');
  await page.getByText('$7.60 refunded').waitFor();
  expect((await operator.invoices.get(id)).refundedTotal).toBe('7.60');
  await logIn();
  await open(`/app/invoices/${id}`);
  await page.getByRole('listitem').filter({ hasText: '$7.60 refunded' }).locator('time').waitFor();
});

story('a billing run starts by keyboard alone and shows what it has done', async ({ page, open, logInToConsole }) => {
  await logInToConsole();
  await open('/console/billing-runs');
  await page.getByRole('heading', { level: 1, name: 'Billing runs' }).waitFor();
  await focusByTab(page, 'Start billing run');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await focusByTab(page, 'Start billing run');
  await page.keyboard.press('Enter');
  await page.getByText('The billing run has begun').waitFor();
  await page.getByRole('row').filter({ hasText: 'Done' }).first().waitFor();
});

story('a key is created, shown once, and deleted by its name', async ({ page, open, logInToConsole, operator }) => {
  await logInToConsole();
  await open('/console/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const name = `Nightly ${crypto.randomUUID().slice(0, 8)}`;
  await page.getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const shown = await page.getByRole('dialog').getByText(/^opk_/).textContent();
  expect(shown).toMatch(/^opk_[\w-]+/);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: `Delete key: ${name}` }).click();
  await page.getByLabel('Type the name of the key').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click();
  await expect.poll(async () => (await operator.keys.list()).data.map((key) => key.name)).not.toContain(name);
});

story(
  'the calculator says what a quantity costs by the price in effect',
  async ({ page, open, logInToConsole, operator }) => {
    const path = `/v1/${crypto.randomUUID()}`;
    const price = { path, title: 'Speech to text', currency: 'USD', effectiveFrom: '2026-01-01T00:00:00Z' };
    await operator.prices.create({ ...price, model: 'flat', unitAmount: '0.004' });
    await logInToConsole();
    await open('/console/prices');
    await page.getByRole('textbox', { name: 'Path' }).last().fill(path);
    await page.getByLabel('Quantity').fill('12345');
    await page.getByRole('button', { name: 'Calculate' }).click();
    await page.getByText('12,345 requests cost $49.38').waitFor();
  },
);

story(
  'the operator grants credit on the page of a company',
  async ({ page, open, company, logInToConsole, operator }) => {
    await logInToConsole();
    await open(`/console/companies/${company.id}`);
    await page.getByText('No credit has been granted or used.').waitFor();
    await page.getByRole('button', { name: 'Grant credit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('25');
    await dialog.getByLabel('Reason').fill('Outage in October');
    await dialog.getByRole('button', { name: 'Grant credit' }).click();
    await page.getByText('Outage in October').waitFor();
    await pictureOf(page, 'console-company-credit');
    const { data } = await operator.companies.credits.list(company.id);
    expect(data.map(({ amount, currency, kind }) => ({ amount, currency, kind }))).toEqual([
      { amount: '25.00', currency: 'USD', kind: 'grant' },
    ]);
  },
);
