import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';

type Setup = Record<'seller' | 'price' | 'company' | 'invoice', boolean>;

/** The service of the run has companies of other stories: the answer says what a new installation would. */
async function pretend({ context }: Story, setup: Setup): Promise<void> {
  await context.route('**/operator/overview', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), setup } });
  });
}

const listOf = (page: Page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Set up' }) });

const NOTHING: Setup = { seller: false, price: false, company: false, invoice: false };

story('a new operator is led from the seller to the first invoice', async (told) => {
  const { page, open, logInToConsole, operator } = told;
  const setup = { ...NOTHING };
  await pretend(told, setup);
  await logInToConsole();
  await open('/console');
  const list = listOf(page);
  await list.getByText('0 of 4 done').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'console-set-up');

  await list.getByRole('link', { name: 'Set seller' }).click();
  await page.getByLabel('Name').fill('Northwind Interfaces Ltd');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The seller is saved').waitFor();
  setup.seller = true;
  await page.getByRole('link', { name: 'Home' }).first().click();

  await list.getByRole('button', { name: 'Create price' }).click();
  const dialog = page.getByRole('dialog');
  const path = `/v1/${crypto.randomUUID()}`;
  await dialog.getByLabel('Title').fill('Speech to text');
  await dialog.getByLabel('Path').fill(path);
  await dialog.getByLabel('In effect from').fill('2026-01-01');
  await dialog.getByLabel('Amount per request').fill('0.004');
  setup.price = true;
  await dialog.getByRole('button', { name: 'Create price' }).click();
  await list.getByText('2 of 4 done').waitFor();

  const name = `Hopper & Söhne ${crypto.randomUUID().slice(0, 8)}`;
  await list.getByRole('button', { name: 'Create company' }).click();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('E-mail').fill('office@example.com');
  await checkAccessibility(page);
  await pictureOf(page, 'console-create-company');
  setup.company = true;
  await dialog.getByRole('button', { name: 'Create company' }).click();
  await page.getByText(`${name} is created`).waitFor();
  await list.getByText('3 of 4 done').waitFor();

  await list.getByRole('button', { name: 'Create invoice' }).click();
  await dialog.getByRole('combobox', { name: 'Company' }).fill(name.toLowerCase());
  await page.getByRole('option', { name }).click();
  await dialog.getByLabel('Period from').fill('2026-10-01');
  await dialog.getByLabel('Period to').fill('2026-10-31');
  await dialog.getByLabel('What it is for').fill('Set-up');
  await dialog.getByLabel('Amount of the line without tax').fill('48');
  await pictureOf(page, 'console-create-invoice');
  setup.invoice = true;
  await dialog.getByRole('button', { name: 'Create invoice' }).click();
  await page.getByText(/^Invoice INV-\d+ is issued$/).waitFor();
  await list.waitFor({ state: 'detached' });

  const { data } = await operator.companies.list({ search: name });
  const [company] = data;
  expect(data.map((one) => [one.name, one.organization, one.email])).toEqual([[name, name, 'office@example.com']]);
  const { data: invoices } = await operator.invoices.list({ companyId: company?.id });
  expect(invoices.map(({ total, currency }) => [total, currency])).toEqual([['48.00', 'USD']]);
});

story('the list is dismissed, and stays so in this browser', async (told) => {
  const { page, open, logInToConsole } = told;
  await pretend(told, NOTHING);
  await logInToConsole();
  await open('/console');
  const list = listOf(page);
  await list.getByRole('button', { name: 'Dismiss' }).click();
  await list.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'To look at' }).waitFor();
  expect(await list.count()).toBe(0);
});

story(
  'the operator invites the first administrator of a company',
  async ({ page, open, logInToConsole, company, operator }) => {
    await logInToConsole();
    await open(`/console/companies/${company.id}`);
    await page.getByRole('button', { name: 'Invite administrator' }).click();
    const email = `grace-${crypto.randomUUID()}@example.com`;
    await page.getByRole('dialog').getByLabel('E-mail').fill(email);
    await page.getByRole('dialog').getByRole('button', { name: 'Invite administrator' }).click();
    await page.getByText(`An invitation is on its way to ${email}`).waitFor();
    const { data } = await operator.companies.invitations.list(company.id);
    expect(data.map((invitation) => [invitation.email, invitation.role.name])).toEqual([[email, 'Admin']]);
  },
);
